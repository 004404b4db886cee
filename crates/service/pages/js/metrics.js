// The text of /metrics, and figures that follow from two readings of it.

const LINE = /^([a-z_]+)(?:\{(.*)\})? (\S+)/i;
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/gi;

// All samples by the name of the metric, without its prefix: [{ labels, value }].
export function parse(text) {
  const samples = new Map();
  for (const line of text.split("\n")) {
    const [, name, labels = "", value] = LINE.exec(line) ?? [];
    if (!name) continue;
    const key = name.replace(/^lookalike_/, "");
    const pairs = [...labels.matchAll(LABEL)].map(([, label, quoted]) => [label, quoted.replace(/\\(.)/g, (_, c) => (c === "n" ? "\n" : c))]);
    if (!samples.has(key)) samples.set(key, []);
    samples.get(key).push({ labels: Object.fromEntries(pairs), value: Number(value) });
  }
  return samples;
}

// The sum of the samples that `accept`, 0 without any.
export const sum = (samples, name, accept = () => true) =>
  (samples.get(name) ?? []).filter(({ labels }) => accept(labels)).reduce((total, { value }) => total + value, 0);

// The cumulative buckets of a histogram, by their upper ends.
export function buckets(samples, name, accept) {
  const found = new Map();
  for (const { labels, value } of samples.get(name + "_bucket") ?? []) {
    if (!accept(labels)) continue;
    const end = labels.le === "+Inf" ? Infinity : Number(labels.le);
    found.set(end, (found.get(end) ?? 0) + value);
  }
  return [...found].sort(([x], [y]) => x - y);
}

export const since = (later, earlier) => {
  const before = new Map(earlier);
  return later.map(([end, count]) => [end, count - (before.get(end) ?? 0)]);
};

// The value below which this share lies, evenly spread in its bucket. Null without values.
export function quantile(buckets, share) {
  const total = buckets.at(-1)?.[1] ?? 0;
  if (!total) return null;
  let [start, below] = [0, 0];
  for (const [end, count] of buckets) {
    if (count >= share * total) return end === Infinity ? start : start + ((end - start) * (share * total - below)) / (count - below || 1);
    [start, below] = [end, count];
  }
  return start;
}
