// A page of another origin that signs people in by a code with PKCE, and calls the API.
const here = location.origin + "/";
const encode = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const random = () => encode(crypto.getRandomValues(new Uint8Array(32)));
const metadata = async issuer => (await fetch(issuer + "/.well-known/openid-configuration")).json();

async function begin(base) {
	const issuer = base + "/oidc", verifier = random(), state = random();
	sessionStorage.setItem("begun", JSON.stringify({base, issuer, verifier, state}));
	const to = new URL((await metadata(issuer)).authorization_endpoint);
	to.search = new URLSearchParams({
		response_type: "code", client_id: "app", redirect_uri: here, scope: "openid profile offline_access twin-platform", state,
		code_challenge: encode(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))), code_challenge_method: "S256",
	});
	location.assign(to);
}

// redeem exchanges the code for tokens, and those for the next ones.
async function redeem() {
	const {base, issuer, verifier, state} = JSON.parse(sessionStorage.getItem("begun"));
	const answer = new URLSearchParams(location.search);
	if (answer.get("state") !== state || answer.get("iss") !== issuer) throw new Error("an answer to somebody else");
	const {token_endpoint, userinfo_endpoint} = await metadata(issuer);
	const ask = async form => (await fetch(token_endpoint, {method: "POST", body: new URLSearchParams({client_id: "app", ...form})})).json();
	const first = await ask({grant_type: "authorization_code", code: answer.get("code"), redirect_uri: here, code_verifier: verifier});
	const tokens = await ask({grant_type: "refresh_token", refresh_token: first.refresh_token});
	return {base, first, userinfo_endpoint, token: tokens.access_token};
}

async function end() {
	const {base, first, userinfo_endpoint, token} = await redeem();
	const headers = {Authorization: "Bearer " + token};
	const user = await (await fetch(userinfo_endpoint, {headers})).json();
	const twins = await fetch(base + "/twins", {headers});
	return {Name: user.name, Twins: (await twins.json()).twins.length, Status: twins.status, Refreshed: token !== first.access_token};
}
