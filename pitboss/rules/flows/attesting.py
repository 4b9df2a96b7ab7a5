"""What people attest: each sentence by its id, those of slips from their flows, others from here.

A signature keeps the id, the version and the very words that were read. The versions are in a book
of their own (`pitboss/attestations.json`), which only grows: docs/attestations.md shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pitboss.rules.flows.flows import Flow, Track

# What is signed without a slip, by its id. What a sentence names is filled in where it is shown.
ACTS: Final[Mapping[str, str]] = {
    "acknowledge": "I have reviewed each notice listed above. No further action is required.",
    "add_passkey": "I certify that this passkey is mine and that I keep it in my possession.",
    "cash_id_refused": "I certify that the patron refused to be identified. I returned the cash, "
    "and no cheques were paid out.",
    "cash_matched": "I certify that I know this person and that this is the patron shown.",
    "cash_on_behalf": "I asked the patron and certify that this cash was on behalf of the person "
    "shown.",
    "cash_own_behalf": "I asked the patron and certify that this cash was their own.",
    "cash_unmatched": "I certify that this person was not the patron shown.",
    "change_own_pin": "I certify that I am changing my own PIN and that no one else knows it.",
    "compliance_note": "I witnessed this myself. I understand that only compliance can read it "
    "and that I am not permitted to disclose it to anyone.",
    "count_room_back": "I certify that I am back in the count room.",
    "count_room_left": "I certify that I am leaving the count room.",
    "currency_report_not_due": "I investigated this day and certify that no report is due.",
    "device_added": "I know {device} and where it is used. I approve adding it, as requested by "
    "{person}.",
    "device_renewed": "I know {device} and where it is used. I approve a new token for it, as "
    "requested by {person}.",
    "drop_boxes": "I certify that these boxes are empty and that each bears the tag I entered.",
    "drop_compartment": "I certify that compartment {before} of the drop box of {table} is locked, "
    "and I enable compartment {letter}.",
    "drop_estimate": "I certify that this is my estimate of the cash in the drop box of {table} "
    "for this shift.",
    "drop_lift": "I certify that the hand at {table} is over and that its drop box may be pulled.",
    "drop_run_join": "I join this drop run for {pit}. I will witness that no hand is in progress "
    "when a box is pulled there, that the box leaves locked, and that a new box goes on.",
    "drop_wait": "I certify that a hand is in progress at {table}. I ask the drop team to wait "
    "until it ends.",
    "end_acting_role": "I end the acting role of {person}, effective immediately.",
    "exception_explained": "I investigated this exception, and the explanation I entered is true "
    "and complete.",
    "exception_notified": "I certify that I notified the agent I named, at the time I entered.",
    "export_tax_forms": "I am taking this file to submit these forms. I understand that it "
    "contains full taxpayer numbers.",
    "floor_approve": "I certify that I saw this at {table}, and I approve it as entered.",
    "floor_log": "I certify that I saw this at {table} and that the entry is true and complete.",
    "grant_acting_role": "I appoint {person} to act in the role and for the time I selected.",
    "log_cash": "I certify this cash transaction of {amount} with the person shown, entered as "
    "{kind}.",
    "offer_device": "I request this device. I understand that a second person must sign before it "
    "is added.",
    "offer_pin": "I certify that {person} asked me for a new PIN and that I checked who they are.",
    "offer_token": "I request a new token for {device}. I understand that a second person must "
    "sign before a code is issued.",
    "patron_document": "I examined this document and certify that it belongs to this patron.",
    "patron_file": "I entered this information from original documents that I examined.",
    "payout_corrected": "I certify that the difference was made good and that the player now has "
    "{owed}.",
    "payout_found": "I investigated this hand and certify that the player now has the amount I "
    "found to be owed.",
    "payout_left": "I reviewed this payout and leave {paid} as paid, for the reason I entered.",
    "rating_end": "I certify that the player left and that I ended this rating at {table}.",
    "rating_not_seen": "I watched the video of this table and certify that the player was not "
    "there. I have not seen the rating.",
    "rating_seen": "I watched the video of this player at this table and entered what I saw. I "
    "have not seen the rating.",
    "read_meter": "I certify that I read this amount from the meter display just now.",
    "remove_own_passkey": "I certify that the passkey “{key}” no longer proves who I am. I "
    "understand that security is notified.",
    "revoke_passkey": "I certify that {person} lost their passkeys. I remove them and understand "
    "that security is notified.",
    "sar_agreed": "I reviewed this case and agree with the proposal.",
    "sar_filed": "I certify that I filed this suspicious activity report with FinCEN.",
    "sar_not_filed": "I investigated this case. No report is filed, for the reason I entered.",
    "sar_opened": "I open this case. I understand that its existence is confidential by law.",
    "sar_reviewed": "I reviewed this activity since the filing and certify that it did not "
    "continue.",
    "sar_withdrawn": "I withdraw this proposal. The case stays open.",
    "sar_written": "I certify that I found this myself and that it is true and complete.",
    "serial_explained": "I searched for {number}, and the explanation I entered is true and "
    "complete.",
    "set_pin": "I know this person and watched them set this PIN. I did not see the digits.",
    "tap_in": "I am the dealer at {table} from this time.",
    "tap_out": "I am leaving {table} and no longer deal there. The rack is clean, with black and "
    "higher lammered off.",
    "unlock_badge": "I know who entered the wrong PIN, and I unlock the badge of {person}.",
    "unlock_device": "I know who entered the wrong PIN, and I unlock {device} for signing.",
    "webhook_again": "I request that the event “{event}” is sent to {webhook} again.",
    "webhook_asked": "I request this webhook. I understand that a second person must switch it on.",
    "webhook_off": "I switch off {webhook}. No events are sent to {url} from this time.",
    "webhook_on": "I switch on {webhook}, as requested by {person}. Events are sent to {url}.",
    "webhook_secret": "I request a new secret for {webhook}. I understand that the old one is "
    "valid for 24 more hours.",
    "witness_pin": "I certify that {person} is with me and that I checked who they are.",
}


def step_id(kind: str, track: str, step: str) -> str:
    """Return the id of what a step attests.

    >>> step_id("fill", "main", "issued"), step_id("fill", "void", "voided")
    ('fill.issued', 'fill.void.voided')
    """
    return f"{kind}.{step}" if track == Track.MAIN.value else f"{kind}.{track}.{step}"


def act_id(act: str) -> str:
    """Return the id of what is attested without a slip.

    >>> act_id("tap_in")
    'act.tap_in'
    """
    return f"act.{act}"


def is_act(which: str) -> bool:
    """Tell whether what is attested is signed without a slip.

    >>> is_act("act.tap_in"), is_act("fill.issued")
    (True, False)
    """
    return which.startswith(act_id(""))


def every_attestation(flows: Mapping[str, Flow]) -> Iterator[tuple[str, str]]:
    """Yield every attestation of this release: its id, and its sentence."""
    for flow in flows.values():
        tracks = ((Track.MAIN, flow.steps), (Track.VOID, flow.void), (Track.RELIEF, flow.relief))
        for track, steps in tracks:
            for step in steps:
                yield step_id(flow.kind, track.value, step.name), step.attests
    for act, sentence in ACTS.items():
        yield act_id(act), sentence
