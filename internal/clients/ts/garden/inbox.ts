// Receives events by HTTPS, under a certificate of the program.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Delivery {
  signature: string | undefined;
  body: Buffer;
}

export interface Inbox {
  url: string;
  next: Promise<Delivery>;
  close: () => void;
}

export async function open(certificate: string, key: string): Promise<Inbox> {
  let came: (delivery: Delivery) => void;
  const next = new Promise<Delivery>((resolve) => (came = resolve));
  const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, async (req, res) => {
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part as Buffer);
    res.end();
    came({ signature: req.headers["signature"] as string | undefined, body: Buffer.concat(parts) });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/ring`, next, close };
}

// read checks the signature of an event by the secret of its webhook.
export function read(delivery: Delivery, secret: string): unknown {
  const want = "sha256=" + createHmac("sha256", secret).update(delivery.body).digest("hex");
  if (delivery.signature !== want) throw new Error(`the signature is ${delivery.signature}, not ${want}`);
  return JSON.parse(delivery.body.toString());
}
