// A page of another origin that signs people in and out with oidc-client-ts.
const here = location.origin + "/";
const asked = JSON.parse(sessionStorage.getItem("asked") || "{}");
const manager = base => new oidc.UserManager({
	authority: base + "/oidc", client_id: "app", redirect_uri: here, post_logout_redirect_uri: here,
	scope: "openid profile offline_access twin-platform", revokeTokensOnSignout: false,
});
const show = id => document.addEventListener("DOMContentLoaded", () => {
	document.body.append(Object.assign(document.createElement("p"), {id, textContent: id}));
});
const parameters = new URLSearchParams(location.search);
if (parameters.has("code")) show("back");
if (asked.leaving && !parameters.has("code")) show("out");

async function begin(base) {
	sessionStorage.setItem("asked", JSON.stringify({base}));
	await manager(base).signinRedirect();
}

async function revoke() {
	const users = manager(asked.base), user = await users.signinCallback(location.href);
	const twins = () => fetch(asked.base + "/twins", {headers: {Authorization: "Bearer " + user.access_token}});
	const read = (await (await twins()).json()).twins.length;
	await users.revokeTokens(["access_token", "refresh_token"]);
	return {Name: user.profile.name, Twins: read, Revoked: (await twins()).status};
}

async function signOut() {
	const users = manager(asked.base), user = await users.signinCallback(location.href);
	sessionStorage.setItem("asked", JSON.stringify({base: asked.base, leaving: true, refresh: user.refresh_token}));
	await users.signoutRedirect({state: "bye"});
}

// left is what there is of a session behind it.
async function left() {
	const answer = await manager(asked.base).signoutCallback(location.href);
	const form = new URLSearchParams({grant_type: "refresh_token", client_id: "app", refresh_token: asked.refresh});
	const again = await fetch(asked.base + "/oidc/token", {method: "POST", body: form});
	return {Ended: again.status === 400, State: answer.userState};
}
