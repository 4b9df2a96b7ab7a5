"""A round whose stakes went back takes from the meters what it gave them, no more and once."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0006_to_the_cent")]

    operations = [
        migrations.RunSQL(
            """
            CREATE FUNCTION jackpots_back_as_given() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NEW.wagers < 0 AND NOT EXISTS (
                    SELECT FROM jackpots_metercontribution AS given
                    WHERE given.meter_id = NEW.meter_id AND given.table_id = NEW.table_id
                      AND given.key || ':back' = NEW.key AND given.wagers = -NEW.wagers
                      AND given.amount_microcents = -NEW.amount_microcents
                      AND given.reserve_microcents = -NEW.reserve_microcents) THEN
                    RAISE EXCEPTION 'a round takes back what it gave'
                        USING ERRCODE = 'restrict_violation';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER back_as_given BEFORE INSERT ON jackpots_metercontribution
                FOR EACH ROW EXECUTE FUNCTION jackpots_back_as_given();
            """,
            """
            DROP TRIGGER back_as_given ON jackpots_metercontribution;
            DROP FUNCTION jackpots_back_as_given();
            """,
        ),
    ]
