package signin

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// algorithm is the one that every client of OpenID Connect has to know.
const algorithm = "RS256"

// maxKeys are how many keys are published at most: what older ones signed is no longer good.
const maxKeys = 4

// The types of what is signed, in its header.
const (
	accessType = "at+jwt" // RFC 9068
	idType     = "JWT"
)

// keyring are the keys of a provider, the one that signs first.
type keyring struct {
	mu   sync.RWMutex
	keys []signingKey
}

type signingKey struct {
	id      string
	private *rsa.PrivateKey
}

// rotate puts a new key in front, before it takes the others away where forget is set.
func (k *keyring) rotate(forget bool) error {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(private.N.Bytes())
	key := signingKey{encoded(sum[:12]), private}
	k.mu.Lock()
	defer k.mu.Unlock()
	if forget {
		k.keys = nil
	}
	k.keys = slices.Insert(k.keys, 0, key)
	k.keys = k.keys[:min(len(k.keys), maxKeys)]
	return nil
}

type header struct {
	Algorithm string `json:"alg"`
	Type      string `json:"typ"`
	Key       string `json:"kid"`
}

// sign makes a token (a JWT) of claims.
func (k *keyring) sign(kind string, claims any) (string, error) {
	k.mu.RLock()
	key := k.keys[0]
	k.mu.RUnlock()
	head, err := json.Marshal(header{algorithm, kind, key.id})
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	text := encoded(head) + "." + encoded(body)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key.private, crypto.SHA256, sum[:])
	return text + "." + encoded(signature), err
}

var errNotSigned = errors.New("not signed here")

// verify reads the claims of a token of a kind that one of the keys has signed. The token
// does not choose how it is checked.
func (k *keyring) verify(kind, token string, claims any) error {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return errNotSigned
	}
	var h header
	if err := decode(parts[0], &h); err != nil || h.Algorithm != algorithm || h.Type != kind {
		return errNotSigned
	}
	k.mu.RLock()
	i := slices.IndexFunc(k.keys, func(s signingKey) bool { return s.id == h.Key })
	var key *rsa.PublicKey
	if i >= 0 {
		key = &k.keys[i].private.PublicKey
	}
	k.mu.RUnlock()
	signature, err := base64.RawURLEncoding.Strict().DecodeString(parts[2])
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if key == nil || err != nil || rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature) != nil {
		return errNotSigned
	}
	return decode(parts[1], claims)
}

func encoded(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func decode(part string, to any) error {
	text, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// showKeys serves the public keys (JWKS).
func (p *Provider) showKeys(w http.ResponseWriter, _ *http.Request) {
	p.keys.mu.RLock()
	keys := make([]map[string]string, len(p.keys.keys))
	for i, key := range p.keys.keys {
		keys[i] = map[string]string{
			"kty": "RSA", "use": "sig", "alg": algorithm, "kid": key.id,
			"n": encoded(key.private.N.Bytes()), "e": encoded(big.NewInt(int64(key.private.E)).Bytes()),
		}
	}
	p.keys.mu.RUnlock()
	writeJSON(w, http.StatusOK, map[string]any{"keys": keys})
}
