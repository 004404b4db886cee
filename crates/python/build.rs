//! Links the module without the library of Python, which the interpreter brings.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
