"""Two more roles: controllers above accountants, and collectors on their own."""

from django.db import migrations

from pitboss.ink import altered

# As in 0022_hosts, and the controllers.
_DEPARTMENT = """
    CREATE OR REPLACE FUNCTION pitboss_department(role text) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
        SELECT CASE
            WHEN role IN ('dealer', 'supervisor', 'pit_manager', 'shift_manager') THEN 'pit'
            WHEN role IN ('cashier', 'cage_manager') THEN 'cage'
            WHEN role IN ('security', 'security_manager') THEN 'security'
            WHEN role IN ('surveillance', 'surveillance_manager') THEN 'surveillance'
            WHEN role IN ('host', 'host_manager') THEN 'host'@CONTROLLERS@
            ELSE role
        END
    $$;
"""
DEPARTMENTS = migrations.RunSQL(
    _DEPARTMENT.replace(
        "@CONTROLLERS@", " WHEN role IN ('accounting', 'controller') THEN 'accounting'"
    ),
    _DEPARTMENT.replace("@CONTROLLERS@", ""),
)


class Migration(migrations.Migration):
    dependencies = [("pitboss", "0026_canceled_requests")]

    operations = [
        DEPARTMENTS,
        altered(
            "pitboss_is_independent",
            [("'accounting', 'compliance'", "'accounting', 'controller', 'compliance'")],
        ),
    ]
