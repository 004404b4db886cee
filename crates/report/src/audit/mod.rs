//! What an audit of a website found, as screens, lists, figures and one file to send on.
//!
//! [`view`] makes the screens from an audit and what the crawl knows of its pages. The live page and the report show the
//! same screens by the same script.

mod assets;
mod condition;
pub mod lists;
mod page;
mod summary;
pub mod view;

pub use assets::{ICON, PAGE, SCRIPT, STYLE};
pub use condition::{BadCondition, Condition};
pub use page::{ReportLimits, report};
pub use summary::Summary;
