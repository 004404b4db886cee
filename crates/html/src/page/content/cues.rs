//! What the words of a short block tell, in English. Texts of other languages have no cues.

use super::super::{Block, BlockKind};

/// `advertisement` is the longest word that tells something.
const LONGEST_WORD: usize = 13;
/// Longer texts speak of such things themselves.
const LONGEST: u32 = 60;
/// A block with so many words may name the section behind it.
const NAMING_WORDS: u32 = 8;
/// A section without a next heading ends after so many blocks.
const SECTION_BLOCKS: u32 = 40;

/// Words of a block, by what they tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cues {
    /// Asks for a subscription, a visit elsewhere or a consent.
    pub(super) promotion: u8,
    /// Names who made a picture, or whom the text belongs to.
    pub(super) credit: u8,
    /// Begins like a reference to another page: `Related: …`, `Read more`.
    pub(super) related: bool,
    /// Names comments.
    pub(super) comments: bool,
}

impl Cues {
    /// The cues of a block.
    pub(super) fn of(block: &Block) -> Cues {
        let mut cues = Cues::default();
        if block.words > LONGEST {
            return cues;
        }
        let words =
            block.text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
        for (place, word) in words.enumerate() {
            let mut lower = [0; LONGEST_WORD];
            let Some(lower) = lower.get_mut(..word.len()) else { continue };
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            match &*lower {
                b"subscribe" | b"subscription" | b"subscribers" | b"newsletter" | b"newsletters"
                | b"inbox" | b"sign" | b"signup" | b"login" | b"download" | b"app" | b"follow"
                | b"facebook" | b"twitter" | b"instagram" | b"youtube" | b"click" | b"donate"
                | b"cookies" | b"javascript" | b"recaptcha" | b"advertisement" | b"share" | b"policy" => {
                    cues.promotion = cues.promotion.saturating_add(1);
                }
                b"photo" | b"photos" | b"photograph" | b"photographer" | b"image" | b"picture"
                | b"credit" | b"copyright" | b"getty" | b"reuters" | b"afp" | b"ap" | b"courtesy"
                | b"caption" | b"reserved" | b"rights" => {
                    cues.credit = cues.credit.saturating_add(1);
                }
                b"related" | b"more" | b"also" | b"read" | b"watch" | b"see" | b"recommended"
                | b"popular" | b"trending" | b"latest" | b"next" | b"previous" | b"similar"
                    if place < 3 =>
                {
                    cues.related = true
                }
                b"comment" | b"comments" | b"reply" | b"replies" | b"responses" => cues.comments = true,
                _ => {}
            }
        }
        cues
    }

    /// For each block: whether a short block before it says that its section refers to other pages, and that it has comments.
    pub(super) fn sections(blocks: &[Block], cues: &[Cues]) -> Vec<[bool; 2]> {
        let (mut section, mut left) = ([false; 2], 0);
        let mut sections = Vec::with_capacity(blocks.len());
        for (block, cues) in blocks.iter().zip(cues) {
            if left == 0 || matches!(block.kind, BlockKind::Heading(_)) {
                section = [false; 2];
            }
            if block.words <= NAMING_WORDS && (cues.related || cues.comments) {
                (section, left) = ([cues.related, cues.comments], SECTION_BLOCKS);
            }
            left = u32::saturating_sub(left, 1);
            sections.push(section);
        }
        sections
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::HtmlPage, *};

    fn page(texts: &[&str]) -> Vec<Block> {
        let html: String = texts.iter().map(|text| format!("<p>{text}</p>")).collect();
        HtmlPage::read(html.as_bytes(), None).blocks
    }

    #[test]
    fn a_short_block_tells_by_its_words_what_it_asks_and_whom_it_names() {
        let cues = |text: &str| Cues::of(&page(&[text])[0]);
        assert_eq!(cues("SUBSCRIBE to our newsletter").promotion, 2);
        assert_eq!(cues("A view (Photo: Getty)").credit, 2);
        assert_eq!(cues("3 Comments"), Cues { comments: true, ..Cues::default() });
        assert!(cues("You may also like").related);
        assert!(!cues("They ran until there was nothing more").related);
        assert_eq!(cues(&"subscribe ".repeat(61)), Cues::default());
    }

    #[test]
    fn a_section_of_related_pages_lasts_until_the_next_heading() {
        let mut blocks = page(&["Text", "Related stories", "One", "Two", "Next", "Three"]);
        blocks[4].kind = BlockKind::Heading(2);
        blocks[4].text = "Conclusion".to_owned();
        let cues: Vec<Cues> = blocks.iter().map(Cues::of).collect();
        let related: Vec<bool> = Cues::sections(&blocks, &cues).iter().map(|section| section[0]).collect();
        assert_eq!(related, [false, true, true, true, false, false]);
    }

    #[test]
    fn a_section_without_an_end_ends_after_forty_blocks() {
        let mut texts = vec!["Related stories"];
        texts.resize(60, "One");
        let blocks = page(&texts);
        let cues: Vec<Cues> = blocks.iter().map(Cues::of).collect();
        let related = Cues::sections(&blocks, &cues).iter().filter(|section| section[0]).count();
        assert_eq!(related, 40);
    }
}
