package webhooks

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

// SealingKeySize is the length of a sealing key in bytes: AES-256.
const SealingKeySize = 32

// SealingKey encrypts secrets in the store, with AES-256-GCM. The zero value
// encrypts nothing. It is never printed, logged or encoded.
type SealingKey struct {
	redacted
	aead cipher.AEAD
}

// NewSealingKey returns a key of SealingKeySize bytes, which must come from a source that
// no one can guess.
func NewSealingKey(key []byte) (SealingKey, error) {
	if len(key) != SealingKeySize {
		return SealingKey{}, fmt.Errorf("webhooks: a sealing key has %d bytes, not %d", SealingKeySize, len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return SealingKey{}, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return SealingKey{}, err
	}
	return SealingKey{aead: aead}, nil
}

// ParseSealingKey returns the key that a file holds: its 64 hexadecimal digits,
// or its 32 bytes as they are.
func ParseSealingKey(file []byte) (SealingKey, error) {
	// 32 random bytes never are a text; who wrote one left half a key out.
	text := problem.Printable(string(file))
	if len(file) != SealingKeySize || text {
		key, err := hex.DecodeString(strings.TrimSpace(string(file)))
		if err != nil || len(key) != SealingKeySize {
			return SealingKey{}, fmt.Errorf("webhooks: a file with a sealing key holds %d bytes, or %d hexadecimal "+
				"digits", SealingKeySize, 2*SealingKeySize)
		}
		file = key
	}
	return NewSealingKey(file)
}

// What a stored secret begins with.
const (
	sealedMark = "aes256gcm:"
	plainMark  = "plain:"
)

// seal returns a secret as it is stored for a webhook.
func (k SealingKey) seal(webhookID string, s Secret) string {
	if k.aead == nil {
		return plainMark + s.Reveal()
	}
	return sealedMark + base64.StdEncoding.EncodeToString(k.aead.Seal(nil, nil, []byte(s.Reveal()), []byte(webhookID)))
}

// open returns a stored secret of a webhook. One that was stored for another
// webhook is refused like one that was sealed with another key.
func (k SealingKey) open(webhookID, stored string) (Secret, error) {
	if plain, ok := strings.CutPrefix(stored, plainMark); ok {
		return NewSecret(plain), nil
	}
	sealed, ok := strings.CutPrefix(stored, sealedMark)
	if !ok || k.aead == nil {
		return Secret{}, delivery.ErrSealed
	}
	b, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		return Secret{}, delivery.ErrSealed
	}
	plain, err := k.aead.Open(nil, nil, b, []byte(webhookID))
	if err != nil {
		return Secret{}, delivery.ErrSealed
	}
	return NewSecret(string(plain)), nil
}

// GenerateSealingKey returns the bytes of a new key, from the system's random
// source.
func GenerateSealingKey() []byte {
	b := make([]byte, SealingKeySize)
	rand.Read(b)
	return b
}
