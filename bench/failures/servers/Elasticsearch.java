import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginBundle;
import org.elasticsearch.plugins.PluginsLoader;

/**
 * One node of Elasticsearch 8 or 9, until its standard input ends.
 *
 * <p>Its arguments are settings, NAME=VALUE. The folder {@code path.home} has the modules, {@code modules/NAME}, each with its jars and a plugin-descriptor.properties.
 */
class Elasticsearch {
    public static void main(String[] arguments) throws Exception {
        Settings.Builder settings = Settings.builder();
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            settings.put(parts[0], parts[1]);
        }
        Path home = Path.of(settings.get("path.home"));
        Environment environment = new Environment(settings.build(), home.resolve("config"));
        LogConfigurator.configureWithoutConfig(environment.settings());
        // The server is no Java module here, so it exports nothing to the modules.
        boolean exports = false;
        PluginsLoader plugins = PluginsLoader.createPluginsLoader(modules(environment.modulesDir()), Set.of(), Map.of(), exports);
        try (Node node = new Node(environment, plugins)) {
            node.start();
            while (System.in.read() != -1) {
            }
        }
    }

    /** The modules in a folder. Since version 9.5 the method has a second argument. */
    @SuppressWarnings("unchecked")
    private static Set<PluginBundle> modules(Path folder) throws ReflectiveOperationException {
        for (Method method : PluginsLoader.class.getMethods()) {
            if (method.getName().equals("loadModulesBundles")) {
                Object found = method.getParameterCount() == 1 ? method.invoke(null, folder) : method.invoke(null, folder, false);
                return (Set<PluginBundle>) found;
            }
        }
        throw new NoSuchMethodException("loadModulesBundles");
    }
}
