// Signs in at the OpenID Connect provider of a deployment: a person by a code with PKCE, and an
// application by its secret.
import { createHash, randomBytes } from "node:crypto";

export interface Client {
  issuer: string;
  client: string;
  redirect: string;
  scopes: string[];
}

interface Metadata {
  authorization_endpoint: string;
  token_endpoint: string;
}

interface Tokens {
  access_token: string;
  refresh_token?: string;
}

const metadata = async (issuer: string): Promise<Metadata> =>
  (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Metadata;

async function redeem(at: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Tokens> {
  const res = await fetch(at, { method: "POST", body: new URLSearchParams(form), headers });
  if (!res.ok) throw new Error(`no token: ${res.status} ${await res.text()}`);
  return (await res.json()) as Tokens;
}

// person fills in the page of the provider as the person would, and returns the access token that
// the refresh token is good for.
export async function person(client: Client, name: string, password: string): Promise<string> {
  const { authorization_endpoint, token_endpoint } = await metadata(client.issuer);
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const page = new URL(authorization_endpoint);
  page.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client,
    redirect_uri: client.redirect,
    scope: ["openid", "offline_access", ...client.scopes].join(" "),
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  const signed = await fetch(page, {
    method: "POST",
    body: new URLSearchParams({ user: name, password }),
    redirect: "manual",
  });
  const back = new URL(signed.headers.get("location") ?? "about:blank");
  const code = back.searchParams.get("code");
  if (!back.href.startsWith(client.redirect + "?") || back.searchParams.get("state") !== state || !code) {
    throw new Error(`the page answers ${signed.status} and sends the person to ${back}`);
  }
  const form = { client_id: client.client, code, redirect_uri: client.redirect, code_verifier: verifier };
  const first = await redeem(token_endpoint, { grant_type: "authorization_code", ...form });
  if (!first.refresh_token) throw new Error("there is no refresh token");
  const next = await redeem(token_endpoint, {
    grant_type: "refresh_token",
    client_id: client.client,
    refresh_token: first.refresh_token,
  });
  if (next.access_token === first.access_token) throw new Error("the refresh token gives the same access token");
  return next.access_token;
}

// application signs a service application in.
export async function application(client: Client, id: string, secret: string): Promise<string> {
  const { token_endpoint } = await metadata(client.issuer);
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64");
  return (await redeem(token_endpoint, { grant_type: "client_credentials" }, { Authorization: `Basic ${basic}` })).access_token;
}
