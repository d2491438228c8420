//! The result, as Markdown.

use std::fmt;

/// A median with the range that it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    median: f64,
    least: f64,
    most: f64,
}

/// One row of the large table.
#[derive(Debug)]
struct Row {
    what: String,
    /// In the order of `Variant::ALL`.
    theirs: [Cell; 3],
    ours: Cell,
}

/// Microseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantiles {
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

/// Everything that was measured.
#[derive(Debug)]
pub(crate) struct Table {
    head: String,
    rows: Vec<Row>,
    pairs: Vec<String>,
    notes: Vec<String>,
}

// === impl Cell ===

impl Cell {
    /// Of several measurements.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        assert!(!values.is_empty());
        Self {
            median: values[values.len() / 2],
            least: values[0],
            most: values[values.len() - 1],
        }
    }

    /// Of one.
    pub(crate) fn one(value: f64) -> Self {
        Self::of([value])
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&number(self.median))?;
        let (least, most) = (number(self.least), number(self.most));
        if least == most {
            Ok(())
        } else {
            write!(f, " ({least} to {most})")
        }
    }
}

/// Three digits are all that such a measurement has.
fn number(value: f64) -> String {
    match value.abs() {
        large if large >= 100.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

// === impl Quantiles ===

impl Quantiles {
    /// Of microseconds.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        assert!(!values.is_empty());
        let at = |percent: usize| values[(values.len() * percent / 100).min(values.len() - 1)];
        Self {
            p50: at(50),
            p99: at(99),
        }
    }
}

// === impl Table ===

impl Table {
    pub(crate) fn new(head: String) -> Self {
        Self {
            head,
            rows: Vec::new(),
            pairs: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a row; `theirs` is in the order of `Variant::ALL`.
    pub(crate) fn row(&mut self, what: &str, theirs: [Cell; 3], ours: Cell) {
        self.rows.push(Row {
            what: what.to_owned(),
            theirs,
            ours,
        });
    }

    /// A comparison of two times, theirs and ours.
    pub(crate) fn pair(&mut self, what: &str, theirs: &str, their: Quantiles, ours: &str, our: Quantiles) {
        for (name, their, our) in [("p50", their.p50, our.p50), ("p99", their.p99, our.p99)] {
            self.pairs.push(format!(
                "| {what}: {name} µs | {theirs}: {} | {ours}: {} | {} |",
                number(their),
                number(our),
                number(their / our)
            ));
        }
    }

    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.head)?;
        writeln!(
            f,
            "| | A: client-go | B: client-go, managedFields stripped | C: as B, JSON | D: informerd | B ÷ D | C ÷ D |"
        )?;
        writeln!(f, "|---|---:|---:|---:|---:|---:|---:|")?;
        for Row { what, theirs, ours } in &self.rows {
            let [full, stripped, json] = theirs;
            let ratio = |cell: &Cell| number(cell.median / ours.median);
            let (by_stripped, by_json) = (ratio(stripped), ratio(json));
            writeln!(
                f,
                "| {what} | {full} | {stripped} | {json} | {ours} | {by_stripped} | {by_json} |"
            )?;
        }
        writeln!(
            f,
            "\n| | beside | informerd | beside ÷ informerd |\n|---|---:|---:|---:|"
        )?;
        for pair in &self.pairs {
            writeln!(f, "{pair}")?;
        }
        writeln!(f)?;
        for note in &self.notes {
            writeln!(f, "- {note}")?;
        }
        Ok(())
    }
}
