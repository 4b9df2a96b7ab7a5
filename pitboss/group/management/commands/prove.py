"""`manage.py prove`: prove every statement that is kept, from the first on."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pitboss.group.keeping import prove_all
from pitboss.group.models import House, Statement


class Command(BaseCommand):
    help = "Prove every statement that the desk keeps: signature, chain, seals and sums."

    def handle(self, *args: Any, **options: Any) -> None:
        failing = 0
        for row, refusals in prove_all(list(House.objects.all())):
            failing += 1
            words = " ".join(each.message for each in refusals)
            self.stdout.write(f"{row.house}, statement {row.number}: {words}")
        if failing:
            raise CommandError(f"{failing} statements have no proof.")
        self.stdout.write(f"{Statement.objects.count():,} statements are proved.")
