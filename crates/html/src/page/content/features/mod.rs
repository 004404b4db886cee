//! What is known of a block.

use std::collections::HashMap;

use super::{
    super::{BlockKind, HtmlPage},
    cues::Cues,
};
use numbers::{flag, log};
use page::of_page;
use text::{link_share, of_area, of_text, text_words};

mod names;
mod numbers;
mod page;
mod text;

pub(super) use names::{COUNT, NAMES};
pub(super) use numbers::share;

/// Each block is searched for in the title. In a longer one, many blocks would take too long.
const LONGEST_TITLE: usize = 500;

/// More hints of one kind say nothing more.
const MOST_HINTS: u8 = 3;

/// Counts of everything that blocks are seen beside.
pub(super) struct PageCounts<'p> {
    page: &'p HtmlPage,
    title: String,
    /// The sums of each element with all in it: words, words in links, and words of text.
    words: Vec<u64>,
    linked: Vec<u64>,
    text: Vec<u64>,
    /// The words, and the words of text, before each block.
    before: Vec<(u64, u64)>,
    /// The containers of 50, 70 and 90 % of the text: their depths, and the elements around each element and them.
    containers: Vec<(u32, Vec<u32>)>,
    paths: HashMap<u64, Sums>,
    repeated: HashMap<&'p str, Repeated>,
    cues: Vec<Cues>,
    /// Whether each block is in a section that refers to other pages, and in one of comments.
    sections: Vec<[bool; 2]>,
    heading: Option<usize>,
    of_page: [f32; 11],
}

/// The blocks with one text.
struct Repeated {
    times: u32,
    first: usize,
}

#[derive(Default)]
struct Sums {
    blocks: u64,
    words: u64,
    linked: u64,
}

impl<'p> PageCounts<'p> {
    pub(super) fn of(page: &'p HtmlPage) -> Self {
        let elements = page.tree.elements().len();
        let (mut words, mut linked, mut text) = (vec![0; elements], vec![0; elements], vec![0; elements]);
        let (mut before, mut sum) = (Vec::with_capacity(page.blocks.len()), (0, 0));
        let mut paths: HashMap<u64, Sums> = HashMap::new();
        let mut repeated: HashMap<&str, Repeated> = HashMap::new();
        for (number, (block, element)) in page.blocks.iter().zip(&page.elements).enumerate() {
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
            repeated.entry(block.text.as_str()).or_insert(Repeated { times: 0, first: number }).times += 1;
        }
        page.tree.sum_up(&mut words);
        page.tree.sum_up(&mut linked);
        page.tree.sum_up(&mut text);
        let container = |percent| {
            let container = page.tree.container(&text, percent);
            (page.tree.elements()[container as usize].depth, page.tree.shared(container))
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
        let cues: Vec<Cues> = page.blocks.iter().map(Cues::of).collect();
        let sections = Cues::sections(&page.blocks, &cues);
        PageCounts {
            page,
            cues,
            sections,
            title,
            words,
            linked,
            text,
            before,
            containers,
            paths,
            repeated,
            heading,
            of_page,
        }
    }

    /// The features of a block.
    pub(super) fn block(&self, number: usize) -> [f32; COUNT] {
        let block = &self.page.blocks[number];
        let mut list = FeatureList { values: [0.0; COUNT], length: 0 };
        list.extend(of_text(&block.text, block));
        let (cues, section) = (self.cues[number], self.sections[number]);
        list.extend([
            f32::from(cues.promotion.min(3)),
            f32::from(cues.credit.min(3)),
            flag(section[0]),
            flag(section[1]),
        ]);
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
        let repeated = &self.repeated[block.text.as_str()];
        let in_title = (4..=self.title.len()).contains(&block.text.len())
            && self.title.contains(&block.text.to_lowercase());
        let depth = self.page.tree.elements()[self.page.elements[number] as usize].depth;
        list.extend([
            flag(repeated.times > 1),
            flag(repeated.first < number),
            log(path.blocks) * self.of_page[4],
            flag(in_title),
            depth.min(60) as f32,
        ]);
        list.values
    }

    fn push_elements(&self, element: u32, list: &mut FeatureList) {
        let elements = self.page.tree.elements();
        let mut around = element as usize;
        for _ in 0..3 {
            let (words, linked, text) = (self.words[around], self.linked[around], self.text[around]);
            list.extend([log(words), share(linked, words), share(text, self.text[0]), share(text, words)]);
            around = elements[around].parent as usize;
        }
        let own = &elements[element as usize];
        for (depth, shared) in &self.containers {
            let shared = elements[shared[element as usize] as usize].depth;
            list.extend([
                flag(shared == *depth),
                (own.depth - shared).min(60) as f32,
                (depth - shared).min(60) as f32,
            ]);
        }
        // Hints around most of the text tell nothing of a block.
        let around = &elements[self.containers[2].1[element as usize] as usize];
        for (own, around) in own.hints.iter().zip(around.hints) {
            list.extend([f32::from((own - around).min(MOST_HINTS))]);
        }
    }
}

/// Features in their order.
struct FeatureList {
    values: [f32; COUNT],
    length: usize,
}

impl FeatureList {
    fn extend<const N: usize>(&mut self, values: [f32; N]) {
        self.values[self.length..self.length + N].copy_from_slice(&values);
        self.length += N;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of a feature for each block.
    fn values(html: &str, name: &str) -> Vec<f32> {
        let page = HtmlPage::read(html.as_bytes(), None);
        let features = PageCounts::of(&page);
        let place = NAMES.iter().position(|other| *other == name).unwrap();
        (0..page.blocks.len()).map(|block| features.block(block)[place]).collect()
    }

    fn text() -> String {
        "<p>One two three four five six seven eight nine ten eleven.".repeat(9)
    }

    #[test]
    fn each_feature_has_a_name() {
        let value = |name| values("<h1>One</h1><p>two three", name)[1];
        assert_eq!((value("log words"), value("paragraph"), value("heading")), (log(2), 1.0, 0.0));
        assert_eq!((value("before log words"), value("has h1"), value("from h1")), (1.0, 1.0, 1.0));
        assert_eq!((value("page log words"), value("depth")), (2.0, 1.0));
    }

    #[test]
    fn hints_around_most_of_the_text_tell_nothing_of_a_block() {
        let html = format!(
            "<div class='no-comments'><section>{}</section><div class=comments><p>So it is.</div></div>",
            text()
        );
        let comments = values(&html, "hint comments");
        assert_eq!((comments[0], comments[9]), (0.0, 1.0));
    }

    #[test]
    fn a_caption_is_known_by_its_tag() {
        let html = format!("{}<figure><figcaption>A hill.</figcaption></figure>", text());
        let captions = values(&html, "hint caption");
        assert_eq!((captions[0], captions[9]), (0.0, 2.0));
    }

    #[test]
    fn labels_of_a_quotation_tell_nothing() {
        let sharing = |tag: &str| {
            let html = format!("{}<{tag} class=twitter-tweet><p>So it is.</{tag}>", text());
            values(&html, "hint sharing")[9]
        };
        assert_eq!((sharing("blockquote"), sharing("div")), (0.0, 1.0));
    }

    #[test]
    fn an_invitation_is_known_by_its_capitals_and_by_being_all_linked() {
        let html = "<p>We said <a href=/a>so before</a>.<p><a href=/b>READ ALL OF IT</a>";
        assert_eq!(values(html, "all linked"), [0.0, 1.0]);
        assert_eq!(values(html, "capitals"), [1.0 / 18.0, 11.0 / 14.0]);
    }

    #[test]
    fn a_text_is_said_before_from_its_second_block_on() {
        assert_eq!(values("<p>One<p>Two<p>One", "said before"), [0.0, 0.0, 1.0]);
    }
}
