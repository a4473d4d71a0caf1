package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/seed-933f9a09/twinplatform/schedules"
)

// world is what a seed file holds.
type world struct {
	Twins     []worldTwin     `json:"twins"`
	Schedules []worldSchedule `json:"schedules"`
}

// worldTwin is what this server needs to know of a twin.
type worldTwin struct {
	ID            string `json:"id"`
	TwinAccountID string `json:"twinAccountId"`
}

// UnmarshalJSON passes over the many other properties that a twin has.
func (t *worldTwin) UnmarshalJSON(data []byte) error {
	type plain worldTwin
	return json.Unmarshal(data, (*plain)(t))
}

// worldSchedule is a schedule with what it contains, in the form of the create
// requests.
type worldSchedule struct {
	schedules.NewSchedule
	Tasks     []schedules.NewTask     `json:"tasks"`
	TaskLinks []schedules.NewTaskLink `json:"taskLinks"`
	Resources []schedules.NewResource `json:"resources"`
}

// loadWorld reads a seed file. Members that nobody would read are refused: a
// seed is loaded whole or not at all.
func loadWorld(file string) (*world, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the seed: %w", err)
	}
	w := new(world)
	if err := decodeStrictly(data, w); err != nil {
		return nil, fmt.Errorf("reading the seed: %s: %w", file, err)
	}
	if err := w.check(); err != nil {
		return nil, fmt.Errorf("reading the seed: %s: %w", file, err)
	}
	return w, nil
}

// check finds what would make it unclear what a seed has been applied to. All
// else is for the service to refuse.
func (w *world) check() error {
	twins := make(map[string]bool)
	for i, t := range w.Twins {
		if t.ID == "" || twins[t.ID] {
			return fmt.Errorf("twins[%d]: the id %q is empty or stands there twice", i, t.ID)
		}
		twins[t.ID] = true
	}
	plans := make(map[string]bool)
	for i, s := range w.Schedules {
		if s.ID == "" || plans[s.ID] {
			return fmt.Errorf("schedules[%d]: the id %q is empty or stands there twice", i, s.ID)
		}
		plans[s.ID] = true
	}
	if len(w.Twins)+len(w.Schedules) == 0 {
		return errors.New("it holds neither twins nor schedules")
	}
	return nil
}
