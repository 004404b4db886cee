//! Links the module without the library of Python, which the interpreter brings, and says whether it has a lock (`Py_GIL_DISABLED`).

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
    pyo3_build_config::add_extension_module_link_args();
}
