#!/usr/bin/env bash
# elasticsearch 9.5.3: a _bulk request of 900 KB is taken with network.breaker.inflight_requests.limit at 500 KB. 8.19.21 answers 429,
# circuit_breaking_exception.
#
# A reader would expect 429, as the limit is on the bytes of all requests that the node has not answered. Other requests have it in both versions: _msearch
# of the same length is refused. Who sets the limit for the sake of bulk requests needs indexing_pressure.memory.limit.
#
# Seen: when lookalike stream was to be refused for a while (bench/failures/stream_refusals.py). JDK names the folder of a JDK of version 21.
set -euo pipefail

folder=$(mktemp -d)
node=
trap '[ -z "$node" ] || kill "$node" || true; rm -rf "$folder"' EXIT
cd "$folder"
java=${JDK:?names the folder of a JDK of version 21 to 25}/bin/java
cat >Start.java <<'JAVA'
import java.nio.file.Path;
import java.util.Map;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

class Start {
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Settings settings = Settings.builder().put("path.home", home).put("node.name", "node").put("discovery.type", "single-node")
            .put("http.port", arguments[1]).put("transport.port", arguments[2]).put("network.breaker.inflight_requests.limit", "500kb").build();
        org.elasticsearch.common.logging.LogConfigurator.configureWithoutConfig(settings);
        var environment = new Environment(settings, home.resolve("config"));
        var load = java.util.Arrays.stream(PluginsLoader.class.getMethods()).filter(method -> method.getName().equals("loadModulesBundles")).findFirst().get();
        // The second argument came with version 9.5.
        var modules = load.getParameterCount() == 1 ? load.invoke(null, environment.modulesDir()) : load.invoke(null, environment.modulesDir(), false);
        @SuppressWarnings("unchecked")
        var loader = PluginsLoader.createPluginsLoader((java.util.Set<org.elasticsearch.plugins.PluginBundle>) modules, java.util.Set.of(), Map.of(), false);
        new Node(environment, loader).start();
        Thread.currentThread().join();
    }
}
JAVA
for version in 8.19.21 9.5.3; do
  mkdir "$version" "$version/config"
  cat >"$version/pom.xml" <<XML
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId>
  <artifactId>node</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.elasticsearch</groupId><artifactId>elasticsearch</artifactId><version>$version</version></dependency>
    <dependency><groupId>org.elasticsearch.plugin</groupId><artifactId>transport-netty4</artifactId><version>$version</version></dependency>
  </dependencies>
</project>
XML
  mvn -q -B -f "$version/pom.xml" dependency:copy-dependencies -DoutputDirectory=jars </dev/null
  module=$version/modules/transport-netty4
  mkdir -p "$module"
  mv "$version"/jars/netty-* "$version"/jars/transport-netty4-* "$module"
  printf '%s\n' name=transport-netty4 description=HTTP "version=$version" "elasticsearch.version=$version" java.version=17 \
    classname=org.elasticsearch.transport.netty4.Netty4Plugin >"$module/plugin-descriptor.properties"
  "$java" -Xmx512m -cp "$version/jars/*" Start.java "$folder/$version" 9283 9383 >"$version.log" 2>&1 &
  node=$!
  for _ in $(seq 120); do
    curl -sf http://127.0.0.1:9283/_cluster/health >/dev/null && break
    sleep 0.5
  done
  long=$(printf '%900000s' '' | tr ' ' x)
  printf '%s\n' '{"create": {"_index": "pages", "_id": "1"}}' "{\"a\": \"$long\"}" >bulk
  printf '%s\n' '{}' "{\"query\": {\"match\": {\"a\": \"$long\"}}}" >search
  for path in _bulk _msearch; do
    body=${path/_bulk/bulk}
    status=$(curl -s -o answer -w '%{http_code}' -H 'Content-Type: application/x-ndjson' --data-binary "@${body/_msearch/search}" "http://127.0.0.1:9283/$path")
    echo "$version $path: $status $(cut -c1-70 answer)"
    echo "$version $path $status" >>seen
  done
  kill "$node"
  wait "$node" || true
  node=
done
diff seen - <<'SEEN'
8.19.21 _bulk 429
8.19.21 _msearch 429
9.5.3 _bulk 200
9.5.3 _msearch 429
SEEN
