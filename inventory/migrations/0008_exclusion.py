"""Exclusion lists in ink, comparisons and cases under seal, and no decision that two did not sign."""

import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from pitboss.ink import never_changed, sealed

# Past the service too: a list counts by a slip that all have signed about this very file, a row ends
# with a later version of its own list, and a case is decided by the slip that says so.
LISTS_HOLD = migrations.RunSQL(
    """
    CREATE FUNCTION inventory_list_version_holds() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper JOIN inventory_listupload AS upload
              ON upload.id = NEW.upload_id AND upload.list = NEW.list
            WHERE paper.id = NEW.slip_id AND paper.kind = 'list_import' AND paper.status = 'done'
              AND (paper.details->>'upload')::bigint = NEW.upload_id
              AND paper.details->>'sha256' = upload.content_hash) THEN
            RAISE EXCEPTION 'list refused: no signed slip puts this file in force'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER list_version_holds BEFORE INSERT ON inventory_listversion
        FOR EACH ROW EXECUTE FUNCTION inventory_list_version_holds();

    CREATE FUNCTION inventory_list_row_ends() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM inventory_listrow AS row JOIN inventory_listversion AS version
              ON version.id = NEW.version_id AND version.list = row.list
            WHERE row.id = NEW.row_id AND row.version_id < version.id) THEN
            RAISE EXCEPTION 'row refused: it ends with a later version of its own list'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER list_row_ends BEFORE INSERT ON inventory_listrowend
        FOR EACH ROW EXECUTE FUNCTION inventory_list_row_ends();

    CREATE FUNCTION inventory_case_is_decided() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            WHERE paper.id = NEW.slip_id AND paper.status = 'done'
              AND paper.kind = 'exclusion_' || NEW.decision
              AND (paper.details->>'case')::bigint = NEW.case_id) THEN
            RAISE EXCEPTION 'case refused: no slip signed by two people decides it so'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER case_is_decided BEFORE INSERT ON inventory_caseend
        FOR EACH ROW EXECUTE FUNCTION inventory_case_is_decided();
    """,
    """
    DROP TRIGGER case_is_decided ON inventory_caseend;
    DROP FUNCTION inventory_case_is_decided();
    DROP TRIGGER list_row_ends ON inventory_listrowend;
    DROP FUNCTION inventory_list_row_ends();
    DROP TRIGGER list_version_holds ON inventory_listversion;
    DROP FUNCTION inventory_list_version_holds();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0007_patron_seals'),
        ('pitboss', '0019_beside'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ListRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('list', models.CharField(choices=[('self_exclusion', 'Self exclusion'), ('state_exclusion', 'State exclusion'), ('house_ban', 'House ban'), ('trespass', 'Trespass'), ('credit_suspension', 'Credit suspension'), ('ofac', 'Ofac'), ('minor', 'Minor')], max_length=20)),
                ('external_id', models.CharField(max_length=40)),
                ('last_name', models.CharField(max_length=120)),
                ('first_name', models.CharField(blank=True, max_length=80)),
                ('aliases', models.JSONField()),
                ('born_on', models.DateField(null=True)),
                ('ssn_index', models.CharField(blank=True, max_length=64)),
                ('ssn_ends', models.CharField(blank=True, max_length=4)),
                ('address', models.CharField(blank=True, max_length=300)),
                ('description', models.CharField(blank=True, max_length=500)),
                ('from_on', models.DateField(null=True)),
                ('until_on', models.DateField(null=True)),
                ('keys', models.JSONField()),
                ('row_digest', models.CharField(max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='ExclusionCase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=0)),
                ('seal', models.CharField(default='', editable=False, max_length=160)),
                ('match', models.CharField(choices=[('hit', 'Hit'), ('possible', 'Possible')], max_length=8)),
                ('moment', models.CharField(choices=[('patron_file', 'Patron file'), ('cash', 'Cash'), ('marker', 'Marker'), ('debt', 'Debt'), ('tax_form', 'Tax form'), ('win', 'Win'), ('payment', 'Payment')], max_length=12)),
                ('gaming_day', models.DateField()),
                ('opened_at', models.DateTimeField()),
                ('patron', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='inventory.patron')),
                ('row', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='inventory.listrow')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='ListUpload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('list', models.CharField(choices=[('self_exclusion', 'Self exclusion'), ('state_exclusion', 'State exclusion'), ('house_ban', 'House ban'), ('trespass', 'Trespass'), ('credit_suspension', 'Credit suspension'), ('ofac', 'Ofac'), ('minor', 'Minor')], max_length=20)),
                ('content_cipher', models.TextField()),
                ('content_hash', models.CharField(max_length=64)),
                ('uploaded_at', models.DateTimeField()),
                ('request_id', models.UUIDField(unique=True)),
                ('uploaded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='ListVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('list', models.CharField(choices=[('self_exclusion', 'Self exclusion'), ('state_exclusion', 'State exclusion'), ('house_ban', 'House ban'), ('trespass', 'Trespass'), ('credit_suspension', 'Credit suspension'), ('ofac', 'Ofac'), ('minor', 'Minor')], max_length=20)),
                ('rows_count', models.PositiveIntegerField()),
                ('added_count', models.PositiveIntegerField()),
                ('changed_count', models.PositiveIntegerField()),
                ('removed_count', models.PositiveIntegerField()),
                ('imported_at', models.DateTimeField()),
                ('slip', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
                ('upload', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='version', to='inventory.listupload')),
            ],
        ),
        migrations.CreateModel(
            name='ListRowEnd',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='ended', to='inventory.listrow')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ends', to='inventory.listversion')),
            ],
        ),
        migrations.AddField(
            model_name='listrow',
            name='version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rows', to='inventory.listversion'),
        ),
        migrations.CreateModel(
            name='CaseEnd',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('decision', models.CharField(choices=[('cleared', 'Cleared'), ('confirmed', 'Confirmed')], max_length=10)),
                ('at', models.DateTimeField()),
                ('slip', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
                ('case', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='end', to='inventory.exclusioncase')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('decision__in', ['cleared', 'confirmed'])), name='case_decision_known')],
            },
        ),
        migrations.CreateModel(
            name='ListCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=0)),
                ('seal', models.CharField(default='', editable=False, max_length=160)),
                ('moment', models.CharField(choices=[('patron_file', 'Patron file'), ('cash', 'Cash'), ('marker', 'Marker'), ('debt', 'Debt'), ('tax_form', 'Tax form'), ('win', 'Win'), ('payment', 'Payment')], max_length=12)),
                ('versions', models.JSONField()),
                ('stopped', models.BooleanField(default=False)),
                ('gaming_day', models.DateField()),
                ('at', models.DateTimeField()),
                ('case', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='checks', to='inventory.exclusioncase')),
                ('patron', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='inventory.patron')),
                ('slip', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.slip')),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='pitboss.table')),
            ],
            options={
                'indexes': [models.Index(fields=['slip'], name='list_check_by_slip'), models.Index(fields=['case', '-id'], name='list_check_by_case')],
                'constraints': [models.CheckConstraint(condition=models.Q(('moment__in', ['patron_file', 'cash', 'marker', 'debt', 'tax_form', 'win', 'payment'])), name='check_moment_known'), models.CheckConstraint(condition=models.Q(('stopped', False), ('case__isnull', False), _connector='OR'), name='only_a_case_stops')],
            },
        ),
        migrations.AddConstraint(
            model_name='exclusioncase',
            constraint=models.UniqueConstraint(fields=('patron', 'row'), name='one_case_a_patron_and_row'),
        ),
        migrations.AddConstraint(
            model_name='exclusioncase',
            constraint=models.CheckConstraint(condition=models.Q(('match__in', ['hit', 'possible'])), name='case_match_known'),
        ),
        migrations.AddConstraint(
            model_name='exclusioncase',
            constraint=models.CheckConstraint(condition=models.Q(('moment__in', ['patron_file', 'cash', 'marker', 'debt', 'tax_form', 'win', 'payment'])), name='case_moment_known'),
        ),
        migrations.AddConstraint(
            model_name='listupload',
            constraint=models.CheckConstraint(condition=models.Q(('list__in', ['self_exclusion', 'state_exclusion', 'house_ban', 'trespass', 'credit_suspension', 'ofac', 'minor'])), name='upload_list_known'),
        ),
        migrations.AddIndex(
            model_name='listversion',
            index=models.Index(fields=['list', '-id'], name='list_version_latest'),
        ),
        migrations.AddConstraint(
            model_name='listversion',
            constraint=models.CheckConstraint(condition=models.Q(('list__in', ['self_exclusion', 'state_exclusion', 'house_ban', 'trespass', 'credit_suspension', 'ofac', 'minor'])), name='version_list_known'),
        ),
        migrations.AddIndex(
            model_name='listrow',
            index=django.contrib.postgres.indexes.GinIndex(fields=['keys'], name='list_row_by_key'),
        ),
        migrations.AddIndex(
            model_name='listrow',
            index=models.Index(condition=models.Q(('ssn_index', ''), _negated=True), fields=['ssn_index'], name='list_row_by_ssn'),
        ),
        migrations.AddIndex(
            model_name='listrow',
            index=models.Index(fields=['list', 'external_id'], name='list_row_by_id'),
        ),
        migrations.AddConstraint(
            model_name='listrow',
            constraint=models.CheckConstraint(condition=models.Q(('list__in', ['self_exclusion', 'state_exclusion', 'house_ban', 'trespass', 'credit_suspension', 'ofac', 'minor'])), name='row_list_known'),
        ),
        LISTS_HOLD,
        never_changed("inventory_caseend"),
        never_changed("inventory_listrow"),
        never_changed("inventory_listrowend"),
        never_changed("inventory_listupload"),
        never_changed("inventory_listversion"),
        sealed("inventory_exclusioncase"),
        sealed("inventory_listcheck"),
    ]
