//! Metric families of values that are computed at the scrape.

use std::fmt;

use prometheus_client::{
    encoding::{DescriptorEncoder, EncodeGaugeValue, EncodeLabelSet, NoLabelSet},
    metrics::MetricType,
};

use crate::queue::Histogram;

/// Writes families, one after the other.
pub(super) struct Families<'a>(pub(super) DescriptorEncoder<'a>);

// === impl Families ===

impl Families<'_> {
    /// A value that goes up and down.
    pub(super) fn gauge<S: EncodeLabelSet, V: EncodeGaugeValue>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (S, V)>,
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for (labels, value) in samples {
            metric.encode_family(&labels)?.encode_gauge(&value)?;
        }
        Ok(())
    }

    /// A count that only grows; `_total` is added to its name.
    pub(super) fn counter<S: EncodeLabelSet>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (S, u64)>,
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (labels, value) in samples {
            metric
                .encode_family(&labels)?
                .encode_counter::<NoLabelSet, _, u64>(&value, None)?;
        }
        Ok(())
    }

    /// Durations.
    pub(super) fn histogram<'h, S: EncodeLabelSet>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (S, &'h Histogram)>,
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        for (labels, h) in samples {
            metric
                .encode_family(&labels)?
                .encode_histogram::<NoLabelSet>(h.sum(), h.count(), &h.buckets(), None)?;
        }
        Ok(())
    }
}
