#!/usr/bin/env python3
"""Reads compressed and transactional topics of a real Kafka by lookalike stream.

    stream_codecs.py --program target/debug/lookalike --jars target/servers

Needs Java 17, Maven and kcat. For each codec, one topic has messages that the producer compressed, and one topic has the codec as its setting
`compression.type`, so that the broker compressed them. The messages of another topic are one transaction, whose marker takes the last offset. A stream must read
all messages of all topics and end, and the lag of a stream that goes on must reach 0 in all partitions. Exit code 1 if something is wrong.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

import servers

CODECS = ["gzip", "snappy", "lz4", "zstd"]
MESSAGES = 20
PATIENCE = 90


def messages(topic):
    """Documents of which no two are similar."""
    texts = (" ".join(f"{topic}{number}word{word}" for word in range(100)) for number in range(MESSAGES))
    return "".join(json.dumps({"id": f"{topic}{number}", "text": text}) + "\n" for number, text in enumerate(texts))


def produce(kafka, topic, *options):
    subprocess.run(["kcat", "-b", kafka.address, "-P", "-t", topic, *options], check=True, input=messages(topic).encode())


def set_codec(kafka, topic, codec):
    """Makes the topic, whose messages the broker compresses from then on."""
    subprocess.run(["kcat", "-b", kafka.address, "-L", "-t", topic, "-X", "allow.auto.create.topics=true"], check=True, capture_output=True)
    tool = ["java", "-cp", f"{kafka.jars}/*", "kafka.admin.ConfigCommand", "--bootstrap-server", kafka.address, "--alter"]
    subprocess.run([*tool, "--entity-type", "topics", "--entity-name", topic, "--add-config", f"compression.type={codec}"], check=True, capture_output=True)


def reads_to_the_end(command, topics, unique):
    """What is wrong with a stream that reads the topics to their end."""
    try:
        subprocess.run([*command, "--stop-at-end"], check=True, timeout=PATIENCE, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return [f"{topics}: it does not end"]
    except subprocess.CalledProcessError as error:
        return [f"{topics}: exit code {error.returncode}"]
    ids = {json.loads(line)["id"] for line in unique.open()}
    missing = [topic for topic in topics for number in range(MESSAGES) if f"{topic}{number}" not in ids]
    return [f"{topic}: a message is missing" for topic in missing]


def reaches_no_lag(command, partitions):
    """What is wrong with the lag of a stream that has read everything before."""
    port = servers.free_port()
    process = subprocess.Popen([*command, "--listen", f"127.0.0.1:{port}"], stderr=subprocess.DEVNULL)
    lags, end = [], time.monotonic() + PATIENCE
    try:
        while len(lags) != partitions or any(lag != "0" for _, lag in lags):
            if time.monotonic() > end:
                return [f"the lags of {partitions} partitions are {lags}"]
            time.sleep(0.2)
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
                    lags = re.findall(r"lookalike_lag_messages\{(.*)\} (\d+)", answer.read().decode())
            except OSError:
                pass
        return []
    finally:
        process.kill()
        process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--jars", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lookalike-codecs-") as folder:
        work = pathlib.Path(folder)
        kafka = servers.Kafka(arguments.jars, work / "kafka")
        with servers.ending([kafka], []):
            kafka.start()
            topics = [f"{codec}-by-{setting}" for codec in CODECS for setting in ("producer", "topic")]
            for codec in CODECS:
                produce(kafka, f"{codec}-by-producer", "-z", codec)
                set_codec(kafka, f"{codec}-by-topic", codec)
                produce(kafka, f"{codec}-by-topic")
            produce(kafka, "transaction", "-X", "transactional.id=pages")
            topics.append("transaction")
            wrong = []
            for number, names in enumerate([[topic] for topic in topics] + [topics]):
                unique, index = work / f"unique{number}.jsonl", work / f"seen{number}.index"
                command = [arguments.program, "stream", "--from", f"kafka://{kafka.address}/{','.join(names)}", "--to", unique, "--index", index]
                wrong += reads_to_the_end([*command, "--group", f"g{number}"], names, unique)
            wrong += reaches_no_lag([*command, "--group", f"g{number}"], 3 * len(topics))
    for sentence in wrong:
        print(f"wrong: {sentence}")
    print(f"{len(topics)} topics of {MESSAGES} messages: {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
