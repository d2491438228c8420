//! What comes from servers, clients and files, changed at random: no input makes the code panic, and what it says of an input
//! is what a second, simpler reading says.
//!
//! `support::fuzz` makes the inputs and says how to run longer and how to replay. Tokens have their targets beside their code
//! (`service/page/fuzz.rs`, `service/watch/token/fuzz.rs`), because nothing outside of it can read them.

mod config;
mod fields;
mod frames;
mod json;
mod labels;
mod lists;
mod objects;
mod pointers;
