//! The search for pairs: methods, recall and groups.

mod audit;
mod exact;
mod folds;
mod frequent;
mod recall;
mod simhash;
mod within;
