package webhooks

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"unicode/utf8"
)

// redacted keeps what embeds it from being printed, logged or encoded: there is a
// placeholder instead.
type redacted struct{}

const placeholder = "[redacted]"

// String returns a placeholder.
func (redacted) String() string { return placeholder }

// GoString returns a placeholder.
func (redacted) GoString() string { return placeholder }

// LogValue returns a placeholder.
func (redacted) LogValue() slog.Value { return slog.StringValue(placeholder) }

// MarshalJSON writes a placeholder.
func (redacted) MarshalJSON() ([]byte, error) { return []byte(`"` + placeholder + `"`), nil }

// Secret is what a webhook's deliveries are signed with. It is shown by Reveal
// and by nothing else: printing, logging or encoding one gives a placeholder,
// also where it lies deep within another value.
type Secret struct {
	redacted
	text *string // behind a pointer, whose target package fmt does not print
}

// NewSecret returns text as a secret.
func NewSecret(text string) Secret { return Secret{text: &text} }

// Reveal returns the secret itself.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s.text == nil }

// UnmarshalJSON reads the secret itself.
func (s *Secret) UnmarshalJSON(b []byte) error {
	var text *string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	s.text = text
	return nil
}

// hasValidLength reports whether a secret that a caller chose has a documented length.
func (s Secret) hasValidLength() bool {
	n := utf8.RuneCountInString(s.Reveal())
	return n >= MinSecret && n <= MaxSecret && utf8.ValidString(s.Reveal())
}

// generateSecret returns a secret of 64 hexadecimal digits.
func generateSecret() Secret {
	var b [32]byte
	rand.Read(b[:])
	return NewSecret(hex.EncodeToString(b[:]))
}
