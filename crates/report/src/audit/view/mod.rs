//! What an audit found, as JSON for people to look at: what each screen of the page shows.
//!
//! [`AuditResults`] holds an audit and what the crawl knows of its pages. Everything else here is a function of it. Lists are
//! sorted, filtered and cut here, so that 30,000 pages cost a reader one screen of them.
//!
//! Not for: how it looks (that is `pages/`), and requests (that is `crawl`).

mod blocks;
mod changes;
mod clusters;
mod count;
mod links;
mod list;
mod marks;
mod overview;
mod page;
mod pages;
mod pair;
mod pairs;
mod results;
mod settings;
mod site;
mod tally;

pub use blocks::{BlockRow, blocks};
pub use changes::{ChangeRow, Since, changes};
pub use clusters::{ClusterRow, ClusterView, Matrix, MemberRow, cluster, clusters};
pub use count::Count;
pub use links::{links, skipped};
pub use list::{ListPart, ListQuery};
pub use overview::{Overview, overview};
pub use page::{PageView, ShownBlock, page};
pub use pages::{PageCells, PageRow, pages};
pub use pair::{PairView, PassageView, SideView, WordRange, pair};
pub use pairs::{PairRow, pairs};
pub use results::AuditResults;
pub use settings::{SettingsError, SettingsView, WeightsView};
pub use site::{CheckedLink, CrawledSite, LinkKind, OTHER_SITE, PageVisit, SkippedUrl, SkippedUrls};
