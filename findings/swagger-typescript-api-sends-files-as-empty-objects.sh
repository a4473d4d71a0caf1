#!/usr/bin/env bash
# swagger-typescript-api 13.13.0 (npm): the client that it makes sends a body of application/octet-stream as JSON. A
# File becomes the two characters {}, without any content type of its own, and no error is raised.
#
# The method has the type that one expects (`data: File`), so a program compiles under strict rules. The fetch client
# knows no content type for bytes: what is none of JSON, text, forms and URL-encoded forms is passed to JSON.stringify,
# which makes {} of a File or Blob, and {"0":…} of a Uint8Array. A server that takes any bytes stores that. The clients
# of hey-api, orval and ogen send the bytes.
#
# Seen on 2026-11-30 with Node 20.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts swagger-typescript-api@13.13.0 typescript@5.9.3 @types/node@20.19.25 >/dev/null
cat >api.json <<'JSON'
{
  "openapi": "3.1.0",
  "info": { "title": "pictures", "version": "1" },
  "paths": {
    "/pictures/{id}": {
      "put": {
        "operationId": "setPicture",
        "parameters": [{ "in": "path", "name": "id", "required": true, "schema": { "type": "string" } }],
        "requestBody": {
          "required": true,
          "content": { "application/octet-stream": { "schema": { "type": "string", "format": "binary" } } }
        },
        "responses": { "204": { "description": "No Content" } }
      }
    }
  }
}
JSON
node_modules/.bin/swagger-typescript-api generate -p api.json -o . -n api.ts >/dev/null
cat >main.ts <<'TS'
import { createServer } from "node:http";
import { Api } from "./api";

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  console.log(`${request.headers["content-type"]} ${Buffer.concat(parts).toString()}`);
  response.writeHead(204).end();
});
server.listen(0, "127.0.0.1", async () => {
  const { port } = server.address() as { port: number };
  const api = new Api({ baseUrl: `http://127.0.0.1:${port}` });
  await api.pictures.setPicture("1", new File(["five bytes and more"], "roof.png"));
  server.close();
});
TS
node_modules/.bin/tsc --strict --target es2022 --module commonjs --moduleResolution node10 --ignoreDeprecations 5.0 \
	--lib es2022,dom,dom.iterable --types node --skipLibCheck main.ts
got=$(node main.js)
want='text/plain;charset=UTF-8 {}'
if [ "$got" != "$want" ]; then
	echo "it has changed: got $got, not $want" >&2
	exit 1
fi
echo "swagger-typescript-api 13.13.0 sent a File as: $got"
