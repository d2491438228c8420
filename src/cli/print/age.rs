//! Ages as kubectl shows them: two or three significant figures (`duration.HumanDuration` of apimachinery).

use prost_types::Timestamp;

/// Spells a number of seconds.
#[must_use]
pub fn human(seconds: i64) -> String {
    // Clocks differ: up to two seconds in the future still is "now".
    if seconds < -1 {
        return "<invalid>".into();
    }
    let seconds = seconds.max(0);
    let pair = |big: i64, big_unit: &str, small: i64, small_unit: &str| {
        if small == 0 {
            format!("{big}{big_unit}")
        } else {
            format!("{big}{big_unit}{small}{small_unit}")
        }
    };
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    if seconds < 120 {
        format!("{seconds}s")
    } else if minutes < 10 {
        pair(minutes, "m", seconds % 60, "s")
    } else if minutes < 180 {
        format!("{minutes}m")
    } else if hours < 8 {
        pair(hours, "h", minutes % 60, "m")
    } else if hours < 48 {
        format!("{hours}h")
    } else if days < 8 {
        pair(days, "d", hours % 24, "h")
    } else if days < 730 {
        format!("{days}d")
    } else if days < 2920 {
        pair(days / 365, "y", days % 365, "d")
    } else {
        format!("{}y", days / 365)
    }
}

/// Age of a Kubernetes timestamp at `now`, both in UTC; `<unknown>` if there is none.
#[must_use]
pub fn since(timestamp: &str, now: i64) -> String {
    seconds_of(timestamp).map_or_else(|| "<unknown>".into(), |then| human(now - then))
}

/// Seconds since 1970 of a Kubernetes timestamp.
#[must_use]
pub fn seconds_of(timestamp: &str) -> Option<i64> {
    timestamp.parse::<Timestamp>().ok().map(|t| t.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_spelt_as_kubectl_spells_them() {
        const M: i64 = 60;
        const H: i64 = 60 * M;
        const D: i64 = 24 * H;
        const Y: i64 = 365 * D;
        for (seconds, want) in [
            (-2, "<invalid>"),
            (-1, "0s"),
            (0, "0s"),
            (45, "45s"),
            (119, "119s"),
            (120, "2m"),
            (5 * M + 30, "5m30s"),
            (10 * M - 1, "9m59s"),
            (10 * M + 59, "10m"),
            (3 * H - 1, "179m"),
            (3 * H, "3h"),
            (7 * H + 59 * M, "7h59m"),
            (8 * H + 59 * M, "8h"),
            (48 * H - 1, "47h"),
            (2 * D, "2d"),
            (2 * D + 5 * H, "2d5h"),
            (8 * D - 1, "7d23h"),
            (8 * D + 5 * H, "8d"),
            (2 * Y - 1, "729d"),
            (2 * Y, "2y"),
            (2 * Y + 3 * D, "2y3d"),
            (8 * Y - D, "7y364d"),
            (8 * Y + 9 * D, "8y"),
        ] {
            assert_eq!(human(seconds), want, "{seconds}");
        }
    }

    #[test]
    fn timestamps_of_objects_are_read() {
        assert_eq!(since("2026-01-01T00:00:00Z", 1_767_225_645), "45s");
        assert_eq!(since("2026-01-01T00:00:00.500000Z", 1_767_225_645), "45s");
        assert_eq!(since("", 0), "<unknown>");
        assert_eq!(since("yesterday", 0), "<unknown>");
    }
}
