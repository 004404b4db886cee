//! The search for pairs: methods, recall and groups.

mod audit;
mod estimates;
mod exact;
mod folds;
mod frequent;
mod recall;
mod simhash;
mod within;
