package clients_test

import (
	"context"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/clients/inbox"
	"github.com/seed-933f9a09/twinplatform/internal/clients/journey"
)

func TestProgramOfADeploymentWorksInItsWords(t *testing.T) {
	t.Parallel()
	everywhere(t, words, func(t *testing.T, p place) {
		events, err := inbox.Open(t.Context(), p.Certificate, p.Key)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = events.Close() })
		err = journey.Run(t.Context(), journey.Deployment{
			URL: p.URL, Email: p.Person.ID, ApplicationID: p.Application.ID,
			Person: func(ctx context.Context) (string, error) { return p.Client.Person(ctx, p.Person.ID, p.Person.Secret) },
			Application: func(ctx context.Context) (string, error) {
				return p.Client.Application(ctx, p.Application.ID, p.Application.Secret)
			},
			Callback: events.URL, Receive: events.Next,
		})
		if err != nil {
			t.Error(err)
		}
	})
}
