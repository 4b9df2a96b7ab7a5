"""Make the Python client's shapes and calls, and the collection, from docs/openapi.json.

    .venv/bin/python docs/clients/generate.py

A test compares what is here with what this makes, so nothing that vendors build on is out of date.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
SCHEMA: Final = HERE.parent / "openapi.json"
_KEY: Final = "Idempotency-Key"
_PLAIN: Final = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}


class Shapes:
    """The types of a schema, each written once under its own name."""

    def __init__(self, schemas: Mapping[str, Any]) -> None:
        self._schemas = schemas
        self.classes: list[str] = []
        self.aliases: list[str] = []

    def write(self) -> None:
        """Write every shape that has a name."""
        for name, shape in sorted(self._schemas.items()):
            if "properties" in shape:
                self._write_class(name, shape)
            else:
                self.aliases.append(f"{name}: TypeAlias = {self.type_of(shape, name)!r}")

    def type_of(self, shape: Mapping[str, Any], name: str) -> str:
        """Return the type of a place in the schema; a shape without a name gets one from there."""
        if "$ref" in shape:
            return str(shape["$ref"]).rpartition("/")[2]
        if "const" in shape or "enum" in shape:
            values = shape.get("enum", [shape.get("const")])
            known = ", ".join(json.dumps(value, ensure_ascii=False) for value in values if value)
            return f"Literal[{known}]" + (" | None" if None in values else "")
        for how in ("oneOf", "anyOf", "allOf"):
            if how in shape:
                each = [
                    self.type_of(one, f"{name}{number or ''}")
                    for number, one in enumerate(shape[how])
                ]
                return " | ".join(dict.fromkeys(each))
        kinds = shape["type"] if isinstance(shape["type"], list) else [shape["type"]]
        return " | ".join(self._of_kind(kind, shape, name) for kind in kinds)

    def _of_kind(self, kind: str, shape: Mapping[str, Any], name: str) -> str:
        if kind == "array":
            return f"list[{self.type_of(shape['items'], name + 'Item')}]"
        if kind != "object":
            return _PLAIN[kind]
        if shape.get("properties"):
            self._write_class(name, shape)
            return name
        more = shape.get("additionalProperties")
        inner = self.type_of(more, name + "Value") if isinstance(more, dict) else "Never"
        return f"dict[str, {inner}]"

    def _write_class(self, name: str, shape: Mapping[str, Any]) -> None:
        needed = set(shape.get("required", ()))
        fields = {}
        for field, inner in shape["properties"].items():
            told = self.type_of(inner, name + _camel(field))
            fields[field] = told if field in needed else f"NotRequired[{told}]"
        if any(iskeyword(field) or not field.isidentifier() for field in fields):
            lines = ", ".join(f"{field!r}: {told!r}" for field, told in fields.items())
            self.classes.append(f'{name} = TypedDict("{name}", {{{lines}}})')
            return
        says = " ".join(shape.get("description", "").split())
        lines = "".join(f"    {field}: {told}\n" for field, told in fields.items())
        head = f'    """{says}"""\n\n' if 0 < len(says) < 90 else ""
        self.classes.append(f"class {name}(TypedDict):\n{head}{lines or '    pass'}")


def _camel(field: str) -> str:
    return "".join(part.capitalize() for part in field.split("_"))


def operations(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield every operation of the API: its path, its method, and what the schema says of it."""
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def shapes_module(schema: Mapping[str, Any]) -> str:
    """Return the module of types."""
    shapes = Shapes(schema["components"]["schemas"])
    shapes.write()
    head = (
        f'"""Shapes of the Pitboss API {schema["info"]["version"]}, made from docs/openapi.json."""'
        "\n\n# ruff: noqa: E501\nfrom __future__ import annotations\n\n"
        "from typing import Literal, Never, NotRequired, TypeAlias, TypedDict\n\n"
    )
    return head + "\n\n".join([*shapes.classes, *shapes.aliases]) + "\n"


def api_module(schema: Mapping[str, Any]) -> str:
    """Return the module of calls: a method for each operation that is answered in JSON."""
    methods, used = [], set()
    for path, method, operation in operations(schema):
        answer = _answer_of(operation)
        if answer is None:
            continue
        body = _body_of(operation)
        used |= {name for name in (answer[1], body) if name}
        methods.append(_method(path, method, operation, answer[0], body))
    names = "".join(f"    {name},\n" for name in sorted(used, key=str.casefold))
    return (
        f'"""Calls of the Pitboss API {schema["info"]["version"]}, made from docs/openapi.json."""'
        "\n\nfrom __future__ import annotations\n\n"
        "from typing import cast\n\n"
        "from pitboss_client.line import Line\n"
        f"from pitboss_client.shapes import (\n{names})\n\n\n"
        "class Api(Line):\n"
        '    """Every call of a terminal or a system, under its name in the schema."""\n\n'
        + "\n".join(methods)
    )


def _answer_of(operation: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the type of a good answer and the shape in it; none where it isn't JSON."""
    for status, answer in operation["responses"].items():
        told = answer.get("content", {}).get("application/json")
        if status.startswith("2") and told:
            shape = told["schema"]
            if "$ref" in shape:
                name = str(shape["$ref"]).rpartition("/")[2]
                return name, name
            name = str(shape["items"]["$ref"]).rpartition("/")[2]
            return f"list[{name}]", name
    return None


def _body_of(operation: Mapping[str, Any]) -> str:
    told = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return str(told["schema"]["$ref"]).rpartition("/")[2] if told else ""


def _method(path: str, method: str, operation: Mapping[str, Any], answer: str, body: str) -> str:
    told = operation.get("parameters", [])
    in_path = {each["name"]: each for each in told if each["in"] == "path"}
    in_query = [each["name"] for each in told if each["in"] == "query"]
    takes_key = any(each["name"] == _KEY for each in told)
    takes = [
        f"{name}: {'int' if each['schema']['type'] == 'integer' else 'str'}"
        for name, each in in_path.items()
    ]
    takes += [f"body: {body}"] if body else []
    takes += ["*"] if in_query or takes_key else []
    takes += [f"{name}: int | None = None" for name in in_query]
    takes += ['key: str = ""'] if takes_key else []
    sends = [f'"{method}"', f'f"{path}"' if in_path else f'"{path}"']
    sends += ["body=body"] if body else []
    query = ", ".join(f"{name!r}: {name}" for name in in_query)
    sends += [f"query={{{query}}}"] if in_query else []
    sends += ["key=key"] if takes_key else []
    says = " ".join(operation["summary"].split())
    return (
        f"    def {operation['operationId']}(self, {', '.join(takes)}) -> {answer}:\n"
        f'        """{says}."""\n'
        f'        return cast("{answer}", self.call({", ".join(sends)}))\n'
    )


def collection(schema: Mapping[str, Any]) -> str:
    """Return a collection that Postman, Bruno and Insomnia import: every call, with an example."""
    folders: dict[str, list[Any]] = {}
    for path, method, operation in operations(schema):
        folders.setdefault(operation["tags"][0], []).append(_item(path, method, operation))
    told = {
        "info": {
            "name": f"Pitboss API {schema['info']['version']}",
            "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
        },
        "auth": {
            "type": "apikey",
            "apikey": [
                {"key": "key", "value": "Authorization"},
                {"key": "value", "value": "Device {{token}}"},
                {"key": "in", "value": "header"},
            ],
        },
        "variable": [
            {"key": "url", "value": "http://127.0.0.1:8000"},
            {"key": "token", "value": ""},
        ],
        "item": [{"name": tag, "item": items} for tag, items in sorted(folders.items())],
    }
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _item(path: str, method: str, operation: Mapping[str, Any]) -> dict[str, Any]:
    headers = [
        {"key": each["name"], "value": "{{$guid}}"}
        for each in operation.get("parameters", [])
        if each["name"] == _KEY
    ]
    names = [each["name"] for each in operation.get("parameters", []) if each["in"] == "path"]
    address = path
    for name in names:
        address = address.replace(f"{{{name}}}", f":{name}")
    request: dict[str, Any] = {
        "method": method,
        "header": headers,
        "url": {
            "raw": "{{url}}" + address,
            "host": ["{{url}}"],
            "path": address.strip("/").split("/"),
            "variable": [{"key": name, "value": ""} for name in names],
        },
        "description": " ".join(operation["summary"].split()) + ".",
    }
    told = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if told:
        request["header"] = [*headers, {"key": "Content-Type", "value": "application/json"}]
        examples = list(told.get("examples", {}).values())
        shown = examples[0]["value"] if examples else {}
        raw = json.dumps(shown, indent=2, ensure_ascii=False)
        request["body"] = {"mode": "raw", "raw": raw}
    return {"name": operation["operationId"], "request": request}


def formatted(text: str) -> str:
    """Return a module as the project writes its own."""
    named = "docs/clients/client.py"
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", named, "-"]
    return subprocess.run(
        command, input=text, capture_output=True, text=True, check=True, cwd=HERE.parents[1]
    ).stdout


def made() -> dict[Path, str]:
    """Return everything that is made from the schema, by where it is kept."""
    schema = json.loads(SCHEMA.read_text())
    package = HERE / "python" / "pitboss_client"
    return {
        package / "shapes.py": formatted(shapes_module(schema)),
        package / "api.py": formatted(api_module(schema)),
        HERE / "pitboss.postman_collection.json": collection(schema),
    }


if __name__ == "__main__":
    for path, text in made().items():
        path.write_text(text)
