"""What happens at a table, as rows; what they refuse is in the migrations after this one."""

import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('inventory', '0001_initial'),
        ('pitboss', '0001_initial'),
        ('pitboss', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='FloorRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('gaming_day', models.DateField()),
                ('shift', models.CharField(max_length=20)),
                ('at', models.DateTimeField()),
                ('facts', models.JSONField(default=dict)),
                ('sentence', models.CharField(max_length=500)),
                ('dealer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
                ('terminal', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
            ],
            options={
                'indexes': [models.Index(fields=['table', '-id'], name='floor_request_by_table')],
                'constraints': [models.CheckConstraint(condition=models.Q(('sentence', ''), _negated=True), name='floor_request_says_what')],
            },
        ),
        migrations.CreateModel(
            name='FloorEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('gaming_day', models.DateField()),
                ('shift', models.CharField(max_length=20)),
                ('at', models.DateTimeField()),
                ('outcome', models.CharField(choices=[('granted', 'Granted'), ('declined', 'Declined'), ('noted', 'Noted')], max_length=8)),
                ('facts', models.JSONField(default=dict)),
                ('title', models.CharField(max_length=60)),
                ('sentence', models.CharField(max_length=500)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('amount_cents', models.PositiveBigIntegerField(null=True)),
                ('sends', models.JSONField(default=dict)),
                ('signed_as', models.CharField(max_length=110)),
                ('role', models.CharField(choices=[('dealer', 'Dealer'), ('supervisor', 'Supervisor'), ('pit_manager', 'Pit manager'), ('shift_manager', 'Shift manager'), ('cashier', 'Cashier'), ('cage_manager', 'Cage manager'), ('security', 'Security'), ('security_manager', 'Security manager'), ('surveillance', 'Surveillance'), ('surveillance_manager', 'Surveillance manager'), ('count_team', 'Count team'), ('accounting', 'Accounting'), ('compliance', 'Compliance'), ('auditor', 'Auditor'), ('administrator', 'Administrator')], max_length=24)),
                ('needs_signature', models.BooleanField(default=False)),
                ('is_signed', models.BooleanField(default=False)),
                ('request_id', models.UUIDField(unique=True)),
                ('request_hash', models.CharField(max_length=64)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
                ('patron', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='inventory.patron')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
                ('under', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='covers', to='tables.floorentry')),
                ('answers', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='answer', to='tables.floorrequest')),
            ],
            options={
                'verbose_name_plural': 'floor entries',
                'indexes': [models.Index(fields=['gaming_day', 'shift', 'id'], name='floor_log_by_shift'), models.Index(fields=['table', '-id'], name='floor_log_by_table'), models.Index(condition=models.Q(('kind__in', ['closing_notice', 'closing_withdrawn'])), fields=['table', '-id'], name='closing_notice_by_table')],
                'constraints': [models.CheckConstraint(condition=models.Q(('outcome__in', ['granted', 'declined', 'noted'])), name='floor_outcome_known'), models.CheckConstraint(condition=models.Q(('sentence', ''), _negated=True), name='floor_entry_says_what'), models.CheckConstraint(condition=models.Q(('outcome', 'declined'), ('reason', ''), _connector='XOR'), name='a_no_says_why'), models.CheckConstraint(condition=models.Q(('needs_signature', False), ('is_signed', True), ('outcome', 'declined'), _connector='OR'), name='signed_where_it_must_be'), models.CheckConstraint(condition=models.Q(('under', None), models.Q(('answers__isnull', False), ('is_signed', False), ('outcome', 'granted')), _connector='OR'), name='standing_grants_what_was_asked')],
            },
        ),
        migrations.CreateModel(
            name='KeyLoan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=20)),
                ('pit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.pit')),
                ('returned', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.floorentry')),
                ('taken', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.floorentry')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('key__in', ['tray_lids', 'card_cabinet', 'shufflers', 'toke_boxes', 'podium'])), name='pit_key_known'), models.UniqueConstraint(condition=models.Q(('returned', None)), fields=('pit', 'key'), name='keys_in_one_hand')],
            },
        ),
        migrations.CreateModel(
            name='PayoutCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('keyed_at', models.DateTimeField(null=True)),
                ('wager', models.CharField(max_length=24)),
                ('verdict', models.CharField(choices=[('right', 'Right'), ('overpaid', 'Overpaid'), ('underpaid', 'Underpaid'), ('cannot_verify', 'Cannot verify')], max_length=13)),
                ('stake_cents', models.PositiveBigIntegerField()),
                ('paid_cents', models.PositiveBigIntegerField()),
                ('payable_cents', models.PositiveBigIntegerField(null=True)),
                ('claim', models.JSONField()),
                ('answer', models.JSONField()),
                ('dealer', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
                ('terminal', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.BrinIndex(fields=['at'], name='check_by_time')],
                'constraints': [models.CheckConstraint(condition=models.Q(('verdict__in', ['right', 'overpaid', 'underpaid', 'cannot_verify'])), name='check_verdict_known'), models.CheckConstraint(condition=models.Q(models.Q(('payable_cents', models.F('paid_cents')), ('verdict', 'right')), models.Q(('payable_cents__lt', models.F('paid_cents')), ('verdict', 'overpaid')), models.Q(('payable_cents__gt', models.F('paid_cents')), ('verdict', 'underpaid')), models.Q(('payable_cents', None), ('verdict', 'cannot_verify')), _connector='OR'), name='check_says_what_it_found')],
            },
        ),
        migrations.CreateModel(
            name='PayoutConfirmation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('keyed_at', models.DateTimeField(null=True)),
                ('paid_cents', models.PositiveBigIntegerField()),
                ('check_of', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='confirmation', to='tables.payoutcheck')),
            ],
        ),
        migrations.CreateModel(
            name='Mismatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('owed_cents', models.PositiveBigIntegerField(null=True)),
                ('paid_cents', models.PositiveBigIntegerField()),
                ('take_back', models.JSONField()),
                ('add', models.JSONField()),
                ('dealer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
                ('confirmation', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='mismatch', to='tables.payoutconfirmation')),
            ],
            options={
                'indexes': [models.Index(fields=['at'], name='mismatch_by_time')],
                'constraints': [models.CheckConstraint(condition=models.Q(('owed_cents', None), models.Q(('owed_cents', models.F('paid_cents')), _negated=True), _connector='OR'), name='a_mismatch_differs')],
            },
        ),
        migrations.CreateModel(
            name='MismatchSettlement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('way', models.CharField(choices=[('corrected', 'Corrected'), ('overridden', 'Overridden')], max_length=10)),
                ('stands_cents', models.PositiveBigIntegerField()),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('settled_at', models.DateTimeField()),
                ('request_id', models.UUIDField(unique=True)),
                ('mismatch', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='settlement', to='tables.mismatch')),
                ('settled_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('way__in', ['corrected', 'overridden'])), name='settled_in_a_known_way'), models.CheckConstraint(condition=models.Q(('way', 'corrected'), models.Q(('reason', ''), _negated=True), _connector='OR'), name='an_override_says_why')],
            },
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('log', models.JSONField()),
                ('verdict', models.JSONField(null=True)),
                ('dealer', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
                ('terminal', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
            ],
            options={
                'indexes': [models.Index(fields=['table', 'started_at'], name='round_by_table_and_time'), django.contrib.postgres.indexes.BrinIndex(fields=['started_at'], name='round_by_time')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('table',), name='one_open_round_a_table'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('verdict', None)), models.Q(('ended_at__gte', models.F('started_at')), ('verdict__isnull', False)), _connector='OR'), name='round_that_ended_is_settled')],
            },
        ),
        migrations.CreateModel(
            name='SerialExplanation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('series', models.CharField(max_length=4)),
                ('year', models.PositiveSmallIntegerField()),
                ('number', models.PositiveIntegerField()),
                ('reason', models.CharField(max_length=500)),
                ('explained_at', models.DateTimeField()),
                ('explained_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('series', 'year', 'number'), name='one_explanation_a_number'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='explanation_says_why')],
            },
        ),
        migrations.CreateModel(
            name='SettledWin',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('gaming_day', models.DateField()),
                ('revision', models.PositiveSmallIntegerField()),
                ('pit', models.CharField(max_length=40)),
                ('game', models.CharField(max_length=40)),
                ('opening_cents', models.BigIntegerField()),
                ('closing_cents', models.BigIntegerField()),
                ('fills_cents', models.BigIntegerField()),
                ('credits_cents', models.BigIntegerField()),
                ('markers_cents', models.BigIntegerField()),
                ('marker_payments_cents', models.BigIntegerField()),
                ('drop_cents', models.PositiveBigIntegerField()),
                ('jackpots_cents', models.BigIntegerField()),
                ('estimated_cents', models.BigIntegerField(null=True)),
                ('win_cents', models.BigIntegerField()),
                ('settled_at', models.DateTimeField()),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('gaming_day', 'table', 'revision'), name='win_settled_once_a_revision'), models.CheckConstraint(condition=models.Q(('win_cents', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('closing_cents'), '+', models.F('credits_cents')), '+', models.F('drop_cents')), '+', models.F('markers_cents')), '-', models.F('opening_cents')), '-', models.F('fills_cents')), '-', models.F('marker_payments_cents')))), name='settled_win_adds_up')],
            },
        ),
        migrations.CreateModel(
            name='ShoeMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mark', models.CharField(choices=[('shuffle', 'Shuffle'), ('deal', 'Deal'), ('stop', 'Stop')], max_length=7)),
                ('at', models.DateTimeField()),
                ('decks', models.PositiveSmallIntegerField()),
                ('seconds', models.PositiveIntegerField(null=True)),
                ('request_id', models.UUIDField(null=True, unique=True)),
                ('by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('dealer', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('device', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.device')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
            options={
                'indexes': [models.Index(fields=['table', '-id'], name='shoe_mark_by_table'), models.Index(condition=models.Q(('seconds', None), _negated=True), fields=['dealer', 'at'], name='shoe_time_by_dealer')],
                'constraints': [models.CheckConstraint(condition=models.Q(('mark__in', ['shuffle', 'deal', 'stop'])), name='shoe_mark_known'), models.CheckConstraint(condition=models.Q(('seconds', None), models.Q(('dealer__isnull', False), ('mark__in', ['shuffle', 'deal'])), _connector='OR'), name='only_a_dealer_takes_time'), models.CheckConstraint(condition=models.Q(models.Q(('by', None), ('request_id', None)), models.Q(('by__isnull', False), ('request_id__isnull', False)), _connector='OR'), name='a_tap_has_its_form')],
            },
        ),
        migrations.CreateModel(
            name='StringCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('call', models.CharField(choices=[('join', 'Join'), ('relieve', 'Relieve'), ('leave', 'Leave')], max_length=8)),
                ('gaming_day', models.DateField()),
                ('shift', models.CharField(max_length=20)),
                ('at', models.DateTimeField()),
                ('called_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('dealer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.pit')),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
            options={
                'indexes': [models.Index(fields=['gaming_day', 'shift', 'pit'], name='call_by_shift')],
                'constraints': [models.CheckConstraint(condition=models.Q(('call__in', ['join', 'relieve', 'leave'])), name='string_call_known'), models.CheckConstraint(condition=models.Q(models.Q(('call', 'relieve'), ('table__isnull', False)), models.Q(models.Q(('call', 'relieve'), _negated=True), ('table', None)), _connector='OR'), name='only_a_relief_names_a_table'), models.CheckConstraint(condition=models.Q(('called_by', models.F('dealer')), _negated=True), name='nobody_calls_themselves')],
            },
        ),
        migrations.CreateModel(
            name='TableOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('ruling', 'Ruling'), ('flat_bet', 'Flat bet')], max_length=8)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('facts', models.JSONField()),
                ('began_at', models.DateTimeField()),
                ('holds_until', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('end', models.CharField(blank=True, choices=[('hand_over', 'Hand over'), ('shoe_over', 'Shoe over'), ('lifted', 'Lifted'), ('table_closed', 'Table closed')], max_length=12)),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.floorentry')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('ended_at', None)), fields=['table'], name='order_standing'), models.Index(fields=['table', 'began_at'], name='order_by_table_and_time')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['ruling', 'flat_bet'])), name='order_kind_known'), models.CheckConstraint(condition=models.Q(models.Q(('end', ''), ('ended_at', None)), models.Q(('ended_at__gte', models.F('began_at')), ('ended_at__isnull', False), ('end__in', ['hand_over', 'shoe_over', 'lifted', 'table_closed'])), _connector='OR'), name='order_ends_after_it_began_and_says_why'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'flat_bet'), _negated=True), ('seat__isnull', False), _connector='OR'), name='flat_bet_is_of_a_seat'), models.UniqueConstraint(condition=models.Q(('ended_at', None), ('kind', 'flat_bet')), fields=('table', 'seat'), name='one_flat_bet_a_seat')],
            },
        ),
        migrations.CreateModel(
            name='Dealing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('dealer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='dealings', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='dealings', to='pitboss.table')),
            ],
            options={
                'indexes': [models.Index(fields=['ended_at'], name='dealing_by_end')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('table',), name='one_dealer_a_table'), models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('dealer',), name='one_table_a_dealer'), models.CheckConstraint(condition=models.Q(('ended_at', None), ('ended_at__gte', models.F('began_at')), _connector='OR'), name='dealing_ends_after_it_began')],
            },
        ),
        migrations.CreateModel(
            name='DropEstimate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('gaming_day', models.DateField()),
                ('shift', models.CharField(max_length=20)),
                ('cash_cents', models.PositiveBigIntegerField()),
                ('keyed_at', models.DateTimeField()),
                ('request_id', models.UUIDField(unique=True)),
                ('keyed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='pitboss.table')),
            ],
            options={
                'indexes': [models.Index(fields=['table', 'gaming_day'], name='estimate_by_table_and_day')],
            },
        ),
        migrations.CreateModel(
            name='DropWait',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField()),
                ('lifted_at', models.DateTimeField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('lifted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='drop_waits', to='pitboss.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('lifted_at', None)), fields=('table',), name='one_drop_wait_a_table'), models.CheckConstraint(condition=models.Q(models.Q(('lifted_at', None), ('lifted_by', None)), models.Q(('lifted_at__gte', models.F('asked_at')), ('lifted_by__isnull', False)), _connector='OR'), name='drop_wait_is_lifted_by_somebody')],
            },
        ),
        migrations.CreateModel(
            name='PulledBox',
            fields=[
                ('pull', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='pulled_box', serialize=False, to='pitboss.slip')),
                ('waits', models.BooleanField()),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('waits', True)), fields=['pull'], name='box_that_waits')],
            },
        ),
    ]
