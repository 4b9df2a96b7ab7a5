"""The guards of the record: triggers, functions, constraints and grants.

What the database refuses is half of what keeps a signed slip as it was signed, and its owner can
switch any of it off. So every `migrate` writes down what stands then, keyed like the journal, and
verification compares: no one keeps a list by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings

# Every guard as (what it is, its name, what it says). Roles are named by what they are, so that
# two houses of one release have the same guards.
_SQL = """
WITH
house AS (
    SELECT datdba AS owner, coalesce((SELECT oid FROM pg_roles WHERE rolname = %s), 0) AS site
    FROM pg_database WHERE datname = current_database()
),
relation AS (
    SELECT c.* FROM pg_class AS c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
),
routine AS (
    SELECT p.* FROM pg_proc AS p
    WHERE p.pronamespace = 'public'::regnamespace AND NOT EXISTS (
        SELECT FROM pg_depend AS d
        WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
),
granted AS (
    SELECT 'relation ' || r.relname AS what, g.grantee, g.privilege_type, g.is_grantable
    FROM relation AS r, aclexplode(coalesce(r.relacl, acldefault(
        CASE r.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", r.relowner))) AS g
    UNION ALL
    SELECT 'column ' || r.relname || '.' || a.attname, g.grantee, g.privilege_type, g.is_grantable
    FROM relation AS r JOIN pg_attribute AS a ON a.attrelid = r.oid, aclexplode(a.attacl) AS g
    UNION ALL
    SELECT 'function ' || p.proname, g.grantee, g.privilege_type, g.is_grantable
    FROM routine AS p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS g
    UNION ALL
    SELECT 'schema public', g.grantee, g.privilege_type, g.is_grantable
    FROM pg_namespace AS n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) AS g
    WHERE n.nspname = 'public' AND g.privilege_type <> 'USAGE'
    UNION ALL
    SELECT 'what is made later', g.grantee, g.privilege_type, g.is_grantable
    FROM pg_default_acl AS d, aclexplode(d.defaclacl) AS g
),
guard (kind, name, says) AS (
    SELECT 'trigger', c.relname || '.' || t.tgname, concat_ws(' ', t.tgenabled, t.tgtype,
               t.tgfoid::regproc, t.tgattr, t.tgdeferrable, t.tginitdeferred)
    FROM pg_trigger AS t JOIN relation AS c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal
    UNION ALL
    SELECT 'definition of trigger', c.relname || '.' || t.tgname, pg_get_triggerdef(t.oid)
    FROM pg_trigger AS t JOIN relation AS c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal
    UNION ALL
    SELECT 'foreign key check', k.conname, string_agg(t.tgenabled::text, '' ORDER BY t.tgenabled)
    FROM pg_trigger AS t JOIN pg_constraint AS k ON k.oid = t.tgconstraint
    WHERE t.tgisinternal AND k.connamespace = 'public'::regnamespace GROUP BY k.oid, k.conname
    UNION ALL
    SELECT 'function', p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
           concat_ws(' ', l.lanname, p.prosecdef, p.provolatile, p.proconfig::text,
                     p.proowner = house.owner, p.prosrc)
    FROM routine AS p JOIN pg_language AS l ON l.oid = p.prolang, house
    UNION ALL
    SELECT 'constraint', c.relname || '.' || k.conname,
           pg_get_constraintdef(k.oid) || ' ' || k.convalidated::text
    FROM pg_constraint AS k JOIN relation AS c ON c.oid = k.conrelid
    WHERE k.contype IN ('c', 'f', 'p', 'u', 'x', 'n')
    UNION ALL
    SELECT 'unique index', i.indexrelid::regclass::text,
           concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indislive)
    FROM pg_index AS i JOIN relation AS c ON c.oid = i.indrelid WHERE i.indisunique
    UNION ALL
    SELECT 'relation', c.relname,
           concat_ws(' ', c.relkind, c.relowner = house.owner, c.relrowsecurity, c.relpersistence)
    FROM relation AS c, house
    UNION ALL
    SELECT 'rule', c.relname || '.' || w.rulename, pg_get_ruledef(w.oid) || w.ev_enabled::text
    FROM pg_rewrite AS w JOIN relation AS c ON c.oid = w.ev_class
    UNION ALL
    SELECT 'event trigger', e.evtname, concat_ws(' ', e.evtevent, e.evtfoid::regproc, e.evtenabled)
    FROM pg_event_trigger AS e
    UNION ALL
    SELECT 'grant', g.what || ' to ' || CASE g.grantee WHEN house.site THEN 'the site'
               WHEN 0 THEN 'everyone' ELSE pg_get_userbyid(g.grantee) END,
           string_agg(g.privilege_type || ' ' || g.is_grantable::text, ' '
                      ORDER BY g.privilege_type)
    FROM granted AS g, house WHERE g.grantee <> house.owner
      AND NOT (g.grantee = 0 AND g.what LIKE 'function %%')
    GROUP BY g.what, g.grantee, house.site
    UNION ALL
    SELECT 'role', 'the site', concat_ws(' ', r.rolsuper, r.rolcreaterole, r.rolcreatedb,
               r.rolreplication, r.rolbypassrls, (
               SELECT string_agg(pg_get_userbyid(m.roleid), ' ' ORDER BY m.roleid)
               FROM pg_auth_members AS m WHERE m.member = r.oid))
    FROM pg_roles AS r, house WHERE r.oid = house.site
    UNION ALL
    SELECT 'setting of a role', split_part(s.setting, '=', 1),
           string_agg(s.setting, ' ' ORDER BY s.setting)
    FROM (
        SELECT unnest(each.setconfig) AS setting FROM pg_db_role_setting AS each, house
        WHERE each.setrole IN (0, house.site) AND each.setdatabase IN (
            0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    ) AS s
    WHERE split_part(s.setting, '=', 1)
        IN ('session_replication_role', 'row_security', 'search_path')
    GROUP BY 2
)
SELECT kind || ' ' || name, left(encode(sha256(convert_to(
    string_agg(coalesce(says, ''), E'\\n' ORDER BY says), 'UTF8')), 'hex'), 16)
FROM guard GROUP BY kind, name ORDER BY 1
"""

Guards = Mapping[str, str]


def standing_guards(cursor: Any) -> dict[str, str]:
    """Return every guard that stands, and the hash of what it says.

    `cursor` is in a transaction: names are written the same whatever path its role has.
    """
    cursor.execute("SET LOCAL search_path = public")
    cursor.execute(_SQL, [settings.SITE_DATABASE_ROLE])
    return dict(cursor.fetchall())


def differences(standing: Guards, kept: Guards) -> list[str]:
    """Return what differs, in sentences.

    >>> differences({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"})
    ['b is not as the migrations made it.', 'c is gone.']
    >>> differences({"a": "1"}, {})
    ['a was added.']
    """
    said = []
    for name in sorted(standing.keys() | kept.keys()):
        if name not in standing:
            said.append(f"{name} is gone.")
        elif name not in kept:
            said.append(f"{name} was added.")
        elif standing[name] != kept[name]:
            said.append(f"{name} is not as the migrations made it.")
    return said
