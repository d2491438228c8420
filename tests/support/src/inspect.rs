//! What the kernel says about another process.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

/// Memory is read in pieces of this size.
const PIECE: usize = 1 << 20;

/// Sockets that a process has open.
pub fn sockets(pid: u32) -> usize {
    let entries = fs::read_dir(proc(pid, "fd")).expect("the table of open files");
    let target = |entry: std::io::Result<fs::DirEntry>| fs::read_link(entry.ok()?.path()).ok();
    entries
        .filter_map(target)
        .filter(|target| target.to_string_lossy().starts_with("socket:"))
        .count()
}

/// Bytes of a process that are in memory now.
pub fn resident_bytes(pid: u32) -> u64 {
    let status = fs::read_to_string(proc(pid, "status")).expect("the status of the process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().strip_suffix("kB"));
    let kilobytes: Option<u64> = number.and_then(|number| number.trim().parse().ok());
    kilobytes.expect("VmRSS in kB") * 1024
}

/// Whether `needle` stands anywhere in the memory that a process can write: heap, stacks, and data.
pub fn memory_holds(pid: u32, needle: &[u8]) -> bool {
    let maps = fs::read_to_string(proc(pid, "maps")).expect("the map of the memory");
    let mut memory = File::open(proc(pid, "mem")).expect("the memory of a process that this test started");
    let finder = memchr::memmem::Finder::new(needle);
    let mut piece = vec![0; PIECE + needle.len()];
    maps.lines().filter_map(writable).any(|(start, end)| {
        let mut at = start;
        while at < end {
            let length = (end - at).min(piece.len() as u64) as usize;
            let read = memory
                .seek(SeekFrom::Start(at))
                .and_then(|_| memory.read_exact(&mut piece[..length]));
            // A region may go while it is read: then it holds nothing any more.
            if read.is_ok() && finder.find(&piece[..length]).is_some() {
                return true;
            }
            // Pieces overlap by the needle's length.
            at += PIECE as u64;
        }
        false
    })
}

/// The addresses of a line of `maps`, if the process may write there.
fn writable(line: &str) -> Option<(u64, u64)> {
    let mut words = line.split_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let address = |text| u64::from_str_radix(text, 16).ok();
    words
        .next()?
        .starts_with("rw")
        .then_some((address(start)?, address(end)?))
}

fn proc(pid: u32, file: &str) -> PathBuf {
    format!("/proc/{pid}/{file}").into()
}
