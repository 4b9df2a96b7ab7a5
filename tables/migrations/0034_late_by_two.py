"""A late fill, credit or correction is entered by one and compared by the next rank, as all late forms.

Its number was handed out by accounting, it lies in a declared outage, and it has a picture.
"""

from django.db import migrations

from pitboss.ink import altered

_BY_TWO = [
    (
        """SELECT count(DISTINCT person_id) < 4
                OR bool_or(role IN ('cashier', 'cage_manager') AND place = 'cage') IS NOT TRUE
                OR bool_or(role IN ('security', 'security_manager')) IS NOT TRUE
                OR bool_or(role IN ('pit_manager', 'shift_manager')) IS NOT TRUE
""",
        """SELECT count(DISTINCT person_id) < 2
                OR bool_or(step = 'approved'
                    AND role IN ('pit_manager', 'shift_manager')) IS NOT TRUE
""",
    ),
    (
        "pit, cage and security sign for what was on paper",
        "a manager signs for what another entered from paper",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("tables", "0033_not_one_person"), ("inventory", "0006_late_papers")]

    operations = [altered("inventory_late_is_signed", _BY_TWO)]
