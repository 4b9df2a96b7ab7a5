"""A share of a meter is paid to the cent: what no cheque pays does not stay with the house."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0005_meter_seals")]

    operations = [
        migrations.RunSQL(
            """
            CREATE FUNCTION jackpots_paid_to_the_cent() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NEW.breakage_cents <> 0 AND EXISTS (
                    SELECT FROM jackpots_jackpot
                    WHERE id = NEW.jackpot_id AND freeze_id IS NOT NULL) THEN
                    RAISE EXCEPTION 'a share of a meter is paid to the cent'
                        USING ERRCODE = 'restrict_violation';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER paid_to_the_cent BEFORE INSERT ON jackpots_jackpotpayment
                FOR EACH ROW EXECUTE FUNCTION jackpots_paid_to_the_cent();
            """,
            """
            DROP TRIGGER paid_to_the_cent ON jackpots_jackpotpayment;
            DROP FUNCTION jackpots_paid_to_the_cent();
            """,
        ),
    ]
