//! Columns as kubectl's tabwriter lays them out: at least six wide, three spaces apart, the last one not padded.

/// Rows under a header.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Column names.
    pub header: Vec<String>,
    /// Cells; a row may be shorter than the header.
    pub rows: Vec<Vec<String>>,
}

const MIN_WIDTH: usize = 6;
const PADDING: usize = 3;

// === impl Table ===

impl Table {
    /// The table as text; nothing if there are no rows.
    #[must_use]
    pub fn render(&self, header: bool) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| clean(cell)).collect())
            .collect();
        let mut widths: Vec<usize> = Vec::new();
        let head = header.then_some(&self.header);
        for row in head.into_iter().chain(&rows) {
            widths.resize(widths.len().max(row.len()), 0);
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let mut out = String::new();
        for row in head.into_iter().chain(&rows) {
            line(&mut out, row, &widths);
        }
        out
    }
}

/// One line; cells but the last are padded to the widths.
pub fn line(out: &mut String, row: &[String], widths: &[usize]) {
    for (i, cell) in row.iter().enumerate() {
        out.push_str(cell);
        if i + 1 < row.len() {
            let width = widths.get(i).copied().unwrap_or(0);
            let width = (width + PADDING).max(MIN_WIDTH);
            let length = cell.chars().count();
            out.extend(std::iter::repeat_n(' ', width.saturating_sub(length).max(1)));
        }
    }
    out.push('\n');
}

/// Cells end at their first line, and characters that steer a terminal are shown, not sent: cells come from the cluster.
#[must_use]
pub fn clean(cell: &str) -> String {
    if !cell.contains(|c: char| c.is_control()) {
        return cell.to_owned();
    }
    let (first, more) = cell
        .split_once(['\n', '\r', '\u{c}'])
        .map_or((cell, ""), |(first, _)| (first, "..."));
    let mut out = String::with_capacity(cell.len());
    for c in first.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out + more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(header: &[&str], rows: &[&[&str]]) -> Table {
        let owned = |cells: &[&str]| cells.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>();
        Table {
            header: owned(header),
            rows: rows.iter().map(|r| owned(r)).collect(),
        }
    }

    #[test]
    fn widths_are_kubectls() {
        let t = table(
            &["NAME", "READY", "AGE"],
            &[&["a", "1/1", "5m"], &["a-longer-name", "0/1", "10d"]],
        );
        assert_eq!(
            t.render(true),
            "NAME            READY   AGE\na               1/1     5m\na-longer-name   0/1     10d\n"
        );
        assert_eq!(t.render(false), "a               1/1   5m\na-longer-name   0/1   10d\n");
    }

    #[test]
    fn without_rows_there_is_no_header() {
        assert_eq!(table(&["NAME"], &[]).render(true), "");
    }

    #[test]
    fn cells_cannot_steer_the_terminal() {
        assert_eq!(clean("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(clean("first\nsecond"), "first...");
    }
}
