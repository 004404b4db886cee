//! Inputs in every format: good, odd, damaged and missing ones.

mod arrays;
mod damaged;
mod fields;
mod formats;
mod html;
mod known;
mod long_records;
mod many_files;
mod no_data;
mod odd;
mod parquet_files;
mod tar_files;
mod warc;
