//! What is known of a block.

use std::collections::HashMap;

use super::super::{Area, Block, BlockKind, HtmlPage, hints::Hint};

/// The names of the features, in their order.
pub(super) const NAMES: [&str; COUNT] = [
    // The text.
    "log words",
    "linked",
    "word length",
    "sentence ends",
    "commas",
    "ends sentence",
    "starts upper",
    "digits",
    "separators",
    // Its area and kind.
    "main",
    "navigation",
    "header",
    "footer",
    "aside",
    "form",
    "heading",
    "paragraph",
    "item",
    "cell",
    "code",
    // The blocks before and behind it.
    "before log words",
    "before linked",
    "before is text",
    "behind log words",
    "behind linked",
    "behind is text",
    // Its place in the page, and beside the first h1.
    "words before",
    "text before",
    "has h1",
    "after h1",
    "from h1",
    // All blocks with its path.
    "path log blocks",
    "path log words",
    "path linked",
    "path share",
    // The element around it, the next one, and the third.
    "1 log words",
    "1 linked",
    "1 text share",
    "1 text density",
    "2 log words",
    "2 linked",
    "2 text share",
    "2 text density",
    "3 log words",
    "3 linked",
    "3 text share",
    "3 text density",
    // The elements with at least 50, 70 and 90 % of the text: whether it is inside, and the steps to the common element.
    "in 50",
    "up 50",
    "down 50",
    "in 70",
    "up 70",
    "down 70",
    "in 90",
    "up 90",
    "down 90",
    // The hints around it.
    "hint comments",
    "hint related",
    "hint sharing",
    "hint navigation",
    "hint footer",
    "hint header",
    "hint advertising",
    "hint overlay",
    "hint about",
    "hint control",
    "hint hidden",
    "hint content",
    "hint forum",
    "hint card",
    // The page.
    "page comments",
    "page forum",
    "page log words",
    "page log text",
    "page text share",
    "page text blocks",
    "page main",
    "page linked",
    "page linked blocks",
    "page navigation",
    "page footer",
    // Others.
    "repeated",
    "in title",
    "depth",
];

pub(super) const COUNT: usize = 84;

/// A block is text if it has so many words, and less than a third of them in links.
const TEXT_WORDS: u32 = 10;

/// Each block is searched for in the title. In a longer one, many blocks would take too long.
const LONGEST_TITLE: usize = 500;

/// Counts of everything that blocks are seen beside.
pub(super) struct Features<'p> {
    page: &'p HtmlPage,
    title: String,
    /// The sums of each element with all in it: words, words in links, and words of text.
    words: Vec<u64>,
    linked: Vec<u64>,
    text: Vec<u64>,
    /// The words, and the words of text, before each block.
    before: Vec<(u64, u64)>,
    /// The containers of 50, 70 and 90 % of the text: their depths, and those that elements share with them.
    containers: Vec<(u32, Vec<u32>)>,
    paths: HashMap<u64, Sums>,
    repeated: HashMap<&'p str, u32>,
    heading: Option<usize>,
    of_page: [f32; 11],
}

#[derive(Default)]
struct Sums {
    blocks: u64,
    words: u64,
    linked: u64,
}

impl<'p> Features<'p> {
    pub(super) fn of(page: &'p HtmlPage) -> Self {
        let elements = page.tree.elements().len();
        let (mut words, mut linked, mut text) = (vec![0; elements], vec![0; elements], vec![0; elements]);
        let (mut before, mut sum) = (Vec::with_capacity(page.blocks.len()), (0, 0));
        let mut paths: HashMap<u64, Sums> = HashMap::new();
        let mut repeated = HashMap::new();
        for (block, element) in page.blocks.iter().zip(&page.elements) {
            let element = *element as usize;
            words[element] += u64::from(block.words);
            linked[element] += u64::from(block.linked);
            text[element] += text_words(block);
            before.push(sum);
            sum = (sum.0 + u64::from(block.words), sum.1 + text_words(block));
            let path = paths.entry(block.path).or_default();
            path.blocks += 1;
            path.words += u64::from(block.words);
            path.linked += u64::from(block.linked);
            *repeated.entry(block.text.as_str()).or_insert(0) += 1;
        }
        page.tree.sum_up(&mut words);
        page.tree.sum_up(&mut linked);
        page.tree.sum_up(&mut text);
        let container = |percent| {
            let container = page.tree.container(&text, percent);
            (page.tree.elements()[container as usize].depth, page.tree.shared_depths(container))
        };
        let containers = [50, 70, 90].map(container).into();
        let heading = page.blocks.iter().position(|block| block.kind == BlockKind::Heading(1));
        let of_page = of_page(page, words[0], linked[0], text[0]);
        let title = page
            .title
            .as_deref()
            .filter(|title| title.len() <= LONGEST_TITLE)
            .unwrap_or_default()
            .to_lowercase();
        Features { page, title, words, linked, text, before, containers, paths, repeated, heading, of_page }
    }

    /// The features of a block.
    pub(super) fn block(&self, number: usize) -> [f32; COUNT] {
        let block = &self.page.blocks[number];
        let mut list = List { values: [0.0; COUNT], length: 0 };
        list.extend(of_text(&block.text, block));
        list.extend(of_area(block));
        for neighbour in [number.checked_sub(1), Some(number + 1)] {
            let neighbour = neighbour.and_then(|neighbour| self.page.blocks.get(neighbour));
            list.extend(neighbour.map_or([0.0; 3], |block| {
                [log(u64::from(block.words)), link_share(block), flag(text_words(block) > 0)]
            }));
        }
        let (words, text) = self.before[number];
        let all_text = self.text[0];
        list.extend([share(words, self.words[0]), if all_text == 0 { 0.5 } else { share(text, all_text) }]);
        list.extend(self.heading.map_or([0.0, 0.5, 50.0], |heading| {
            [1.0, flag(number >= heading), number.abs_diff(heading).min(50) as f32]
        }));
        let path = &self.paths[&block.path];
        list.extend([
            log(path.blocks),
            log(path.words),
            share(path.linked, path.words),
            share(path.words, self.words[0]),
        ]);
        self.push_elements(self.page.elements[number], &mut list);
        list.extend(self.of_page);
        let is_repeated = self.repeated.get(block.text.as_str()).is_some_and(|times| *times > 1);
        let in_title = (4..=self.title.len()).contains(&block.text.len())
            && self.title.contains(&block.text.to_lowercase());
        let depth = self.page.tree.elements()[self.page.elements[number] as usize].depth;
        list.extend([flag(is_repeated), flag(in_title), depth.min(60) as f32]);
        list.values
    }

    fn push_elements(&self, element: u32, list: &mut List) {
        let elements = self.page.tree.elements();
        let mut around = element as usize;
        for _ in 0..3 {
            let (words, linked, text) = (self.words[around], self.linked[around], self.text[around]);
            list.extend([log(words), share(linked, words), share(text, self.text[0]), share(text, words)]);
            around = elements[around].parent as usize;
        }
        let own = &elements[element as usize];
        for (depth, shared) in &self.containers {
            let shared = shared[element as usize];
            list.extend([
                flag(shared == *depth),
                (own.depth - shared).min(60) as f32,
                (depth - shared).min(60) as f32,
            ]);
        }
        list.extend(own.hints.map(f32::from));
    }
}

/// Features in their order.
struct List {
    values: [f32; COUNT],
    length: usize,
}

impl List {
    fn extend<const N: usize>(&mut self, values: [f32; N]) {
        self.values[self.length..self.length + N].copy_from_slice(&values);
        self.length += N;
    }
}

fn of_text(text: &str, block: &Block) -> [f32; 9] {
    let (mut characters, mut ends, mut commas, mut digits, mut separators) = (0, 0, 0, 0, 0);
    for character in text.chars() {
        characters += 1;
        match character {
            '.' | '!' | '?' | '。' | '！' | '？' => ends += 1,
            ',' | ';' | '，' => commas += 1,
            '|' | '•' | '·' | '©' | '»' => separators += 1,
            digit if digit.is_ascii_digit() => digits += 1,
            _ => {}
        }
    }
    let words = u64::from(block.words);
    let ends_sentence = text.ends_with(['.', '!', '?', ':', '。', '"', '”', ')']);
    let starts_upper = text.starts_with(char::is_uppercase);
    [
        log(words),
        link_share(block),
        share(characters, words).min(60.0),
        share(ends, words).min(3.0),
        share(commas, words).min(3.0),
        flag(ends_sentence),
        flag(starts_upper),
        share(digits, characters),
        (separators as f32).min(9.0),
    ]
}

fn of_area(block: &Block) -> [f32; 11] {
    use BlockKind::*;
    let area = |area| flag(block.area == area);
    let kind = |is_kind| flag(is_kind);
    [
        area(Area::Main),
        area(Area::Navigation),
        area(Area::Header),
        area(Area::Footer),
        area(Area::Aside),
        area(Area::Form),
        kind(matches!(block.kind, Heading(_))),
        kind(block.kind == Paragraph),
        kind(block.kind == ListItem),
        kind(block.kind == Cell),
        kind(block.kind == Code),
    ]
}

fn of_page(page: &HtmlPage, words: u64, linked: u64, text: u64) -> [f32; 11] {
    let elements = page.tree.elements();
    let hinted = |hint: Hint| {
        let blocks = page.blocks.iter().zip(&page.elements);
        let hinted = blocks.filter(|(_, element)| elements[**element as usize].hints[hint as usize] > 0);
        hinted.map(|(block, _)| text_words(block)).sum()
    };
    let area = |area| {
        page.blocks.iter().filter(|block| block.area == area).map(|block| u64::from(block.words)).sum::<u64>()
    };
    let (main, texts) = (area(Area::Main), page.blocks.iter().filter(|block| text_words(block) > 0).count());
    let links = page.blocks.iter().filter(|block| block.linked * 2 > block.words).count();
    [
        share(hinted(Hint::Comments), text),
        share(hinted(Hint::Forum), text),
        log(words),
        log(text),
        share(text, words),
        texts.min(200) as f32,
        share(main, main + area(Area::Body)),
        share(linked, words),
        share(links as u64, page.blocks.len() as u64),
        share(area(Area::Navigation), words),
        share(area(Area::Footer), words),
    ]
}

/// The words of a block that is text, or 0.
fn text_words(block: &Block) -> u64 {
    let is_text = block.words >= TEXT_WORDS && u64::from(block.linked) * 3 < u64::from(block.words);
    if is_text { u64::from(block.words) } else { 0 }
}

fn link_share(block: &Block) -> f32 {
    share(u64::from(block.linked), u64::from(block.words))
}

fn share(part: u64, whole: u64) -> f32 {
    part as f32 / whole.max(1) as f32
}

fn flag(is_set: bool) -> f32 {
    f32::from(u8::from(is_set))
}

/// The logarithm of `count + 1` to the base 2, with straight lines between powers. Unlike `ln`, it is the same on every machine.
fn log(count: u64) -> f32 {
    let count = count.saturating_add(1);
    let whole = count.ilog2();
    whole as f32 + (count as f64 / (1_u64 << whole) as f64 - 1.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_exact_at_powers_and_grow_between() {
        assert_eq!([0, 1, 3, 7, u64::MAX].map(log), [0.0, 1.0, 2.0, 3.0, 64.0]);
        assert!((1..1000).all(|count| log(count) < log(count + 1)));
    }

    #[test]
    fn each_feature_has_a_name() {
        let page = HtmlPage::read(b"<h1>One</h1><p>two three", None);
        let features = Features::of(&page);
        let block = features.block(1);
        let named = |name| block[NAMES.iter().position(|other| *other == name).unwrap()];
        assert_eq!((named("log words"), named("paragraph"), named("heading")), (log(2), 1.0, 0.0));
        assert_eq!((named("before log words"), named("has h1"), named("from h1")), (1.0, 1.0, 1.0));
        assert_eq!((named("page log words"), named("depth")), (2.0, 1.0));
    }
}
