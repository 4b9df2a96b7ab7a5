"""How property tests of the rules run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A busy machine is no fault of a rule: speed is measured by the benches, not here.
settings.register_profile("rules", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("rules")
