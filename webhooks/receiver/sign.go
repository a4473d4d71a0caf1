package receiver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of a delivery. The first is the documented one; the others are
// those of Standard Webhooks, which guard against repetitions as well.
const (
	signatureHeader = "Signature"
	idHeader        = "Webhook-Id"
	timestampHeader = "Webhook-Timestamp"
	standardHeader  = "Webhook-Signature"
)

const (
	signaturePrefix = "sha256="
	standardPrefix  = "v1,"
)

// Sign sets the headers of a delivery as the platform does; receivers use it in their
// tests. The first secret is the present one: it alone makes the documented signature,
// since receivers expect at most one there. The others were replaced by it and still
// sign.
func Sign(header http.Header, messageID string, at time.Time, body []byte, secrets ...string) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	standard := make([]string, len(secrets))
	for i, s := range secrets {
		standard[i] = standardPrefix +
			base64.StdEncoding.EncodeToString(mac(standardKey(s), standardContent(messageID, timestamp, body)...))
	}
	header[signatureHeader] = []string{signaturePrefix + hex.EncodeToString(mac([]byte(secrets[0]), body))}
	header[idHeader] = []string{messageID}
	header[timestampHeader] = []string{timestamp}
	header[standardHeader] = []string{strings.Join(standard, " ")}
}

func standardContent(id, timestamp string, body []byte) [][]byte {
	return [][]byte{[]byte(id), []byte("."), []byte(timestamp), []byte("."), body}
}

// standardKey is a secret as the key of a Standard Webhooks signature: what whsec_ is
// before is base64, anything else is the key as it is.
func standardKey(secret string) []byte {
	if encoded, ok := strings.CutPrefix(secret, "whsec_"); ok {
		if key, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			return key
		}
	}
	return []byte(secret)
}

func mac(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}
