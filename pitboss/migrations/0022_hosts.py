"""Two more roles: hosts and host managers."""

from django.db import migrations

# As in 0016_pin_offers, and the hosts.
_DEPARTMENT = """
    CREATE OR REPLACE FUNCTION pitboss_department(role text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
        SELECT CASE
            WHEN role IN ('dealer', 'supervisor', 'pit_manager', 'shift_manager') THEN 'pit'
            WHEN role IN ('cashier', 'cage_manager') THEN 'cage'
            WHEN role IN ('security', 'security_manager') THEN 'security'
            WHEN role IN ('surveillance', 'surveillance_manager') THEN 'surveillance'@HOSTS@
            ELSE role
        END
    $$;
"""
DEPARTMENTS = migrations.RunSQL(
    _DEPARTMENT.replace("@HOSTS@", " WHEN role IN ('host', 'host_manager') THEN 'host'"),
    _DEPARTMENT.replace("@HOSTS@", ""),
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0021_withheld")]

    operations = [
        DEPARTMENTS,
    ]
