"""Two more roles: hosts and host managers."""

from django.db import migrations, models

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

    dependencies = [
        ('pitboss', '0021_withheld'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='actingrole',
            name='acting_role_known',
        ),
        migrations.RemoveConstraint(
            model_name='person',
            name='person_role_known',
        ),
        migrations.RemoveConstraint(
            model_name='signature',
            name='signature_role_known',
        ),
        migrations.AlterField(
            model_name='actingrole',
            name='role',
            field=models.CharField(choices=[('dealer', 'Dealer'), ('supervisor', 'Supervisor'), ('pit_manager', 'Pit manager'), ('shift_manager', 'Shift manager'), ('cashier', 'Cashier'), ('cage_manager', 'Cage manager'), ('security', 'Security'), ('security_manager', 'Security manager'), ('surveillance', 'Surveillance'), ('surveillance_manager', 'Surveillance manager'), ('count_team', 'Count team'), ('host', 'Host'), ('host_manager', 'Host manager'), ('accounting', 'Accounting'), ('compliance', 'Compliance'), ('auditor', 'Auditor'), ('administrator', 'Administrator')], max_length=24),
        ),
        migrations.AlterField(
            model_name='deviceenrolment',
            name='offered_as',
            field=models.CharField(blank=True, choices=[('dealer', 'Dealer'), ('supervisor', 'Supervisor'), ('pit_manager', 'Pit manager'), ('shift_manager', 'Shift manager'), ('cashier', 'Cashier'), ('cage_manager', 'Cage manager'), ('security', 'Security'), ('security_manager', 'Security manager'), ('surveillance', 'Surveillance'), ('surveillance_manager', 'Surveillance manager'), ('count_team', 'Count team'), ('host', 'Host'), ('host_manager', 'Host manager'), ('accounting', 'Accounting'), ('compliance', 'Compliance'), ('auditor', 'Auditor'), ('administrator', 'Administrator')], max_length=24),
        ),
        migrations.AlterField(
            model_name='person',
            name='role',
            field=models.CharField(choices=[('dealer', 'Dealer'), ('supervisor', 'Supervisor'), ('pit_manager', 'Pit manager'), ('shift_manager', 'Shift manager'), ('cashier', 'Cashier'), ('cage_manager', 'Cage manager'), ('security', 'Security'), ('security_manager', 'Security manager'), ('surveillance', 'Surveillance'), ('surveillance_manager', 'Surveillance manager'), ('count_team', 'Count team'), ('host', 'Host'), ('host_manager', 'Host manager'), ('accounting', 'Accounting'), ('compliance', 'Compliance'), ('auditor', 'Auditor'), ('administrator', 'Administrator')], max_length=24),
        ),
        migrations.AlterField(
            model_name='signature',
            name='role',
            field=models.CharField(choices=[('dealer', 'Dealer'), ('supervisor', 'Supervisor'), ('pit_manager', 'Pit manager'), ('shift_manager', 'Shift manager'), ('cashier', 'Cashier'), ('cage_manager', 'Cage manager'), ('security', 'Security'), ('security_manager', 'Security manager'), ('surveillance', 'Surveillance'), ('surveillance_manager', 'Surveillance manager'), ('count_team', 'Count team'), ('host', 'Host'), ('host_manager', 'Host manager'), ('accounting', 'Accounting'), ('compliance', 'Compliance'), ('auditor', 'Auditor'), ('administrator', 'Administrator')], max_length=24),
        ),
        migrations.AddConstraint(
            model_name='actingrole',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['dealer', 'supervisor', 'pit_manager', 'shift_manager', 'cashier', 'cage_manager', 'security', 'security_manager', 'surveillance', 'surveillance_manager', 'count_team', 'host', 'host_manager', 'accounting', 'compliance', 'auditor', 'administrator'])), name='acting_role_known'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['dealer', 'supervisor', 'pit_manager', 'shift_manager', 'cashier', 'cage_manager', 'security', 'security_manager', 'surveillance', 'surveillance_manager', 'count_team', 'host', 'host_manager', 'accounting', 'compliance', 'auditor', 'administrator'])), name='person_role_known'),
        ),
        migrations.AddConstraint(
            model_name='signature',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['dealer', 'supervisor', 'pit_manager', 'shift_manager', 'cashier', 'cage_manager', 'security', 'security_manager', 'surveillance', 'surveillance_manager', 'count_team', 'host', 'host_manager', 'accounting', 'compliance', 'auditor', 'administrator'])), name='signature_role_known'),
        ),
        DEPARTMENTS,
    ]
