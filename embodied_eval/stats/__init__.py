"""Statistics: intervals, paired comparisons, sample sizes and agreement, each with its source.

A result that the data do not support is None with a reason, never 0. Wrong input (unequal lengths, a count
above n, NaN) raises ValueError.
"""

from embodied_eval.stats.agreement import cohen_kappa, gwet_ac1, raw_agreement, spearman
from embodied_eval.stats.intervals import Estimate, bootstrap_mean, bootstrap_statistic, wilson
from embodied_eval.stats.paired import (
    PairedCounts,
    mcnemar_exact,
    paired_bootstrap,
    paired_counts,
    permutation_test,
    sign_test,
)
from embodied_eval.stats.power import group_size_needed, pairs_needed

__all__ = [
    "Estimate",
    "PairedCounts",
    "bootstrap_mean",
    "bootstrap_statistic",
    "cohen_kappa",
    "group_size_needed",
    "gwet_ac1",
    "mcnemar_exact",
    "paired_bootstrap",
    "paired_counts",
    "pairs_needed",
    "permutation_test",
    "raw_agreement",
    "sign_test",
    "spearman",
    "wilson",
]
