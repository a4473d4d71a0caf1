//go:build generated

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/clients/blocks"
	"github.com/seed-933f9a09/twinplatform/internal/clients/garden"
	"github.com/seed-933f9a09/twinplatform/internal/clients/plans"
)

func (p *program) garden(ctx context.Context) error {
	bed := garden.TwinsNewTwin{
		Class: garden.TwinsClassBed, Label: "Rose bed", Number: new("R-1"),
		North: new(41.15), Longitude: new(-8.61), GeographicLocation: new("Porto, Ílhavo"),
	}
	made, err := got(p.person.TwinsCreateWithResponse(ctx, nil, bed))
	if err != nil {
		return err
	}
	p.gardenID = made.JSON201.Garden.ID
	read, err := got(p.person.TwinsGetWithResponse(ctx, p.gardenID, nil))
	if err != nil {
		return err
	}
	if err := shows(bed, made.JSON201.Garden); err != nil {
		return err
	}
	if err := shows(bed, read.JSON200.Garden); err != nil {
		return err
	}
	return p.crew(ctx)
}

// crew gives a group a role at the garden.
func (p *program) crew(ctx context.Context) error {
	crew := garden.TwinsNewGroup{Name: "Crew", Description: new("Waters the roses.")}
	group, err := got(p.person.GroupsCreateWithResponse(ctx, p.gardenID, nil, crew))
	if err != nil {
		return err
	}
	if err := shows(crew, group.JSON201.Group); err != nil {
		return err
	}
	may := garden.TwinsNewRole{Label: "Gardener", Permissions: &[]string{"schedules_modify", "schedules_read"}}
	role, err := got(p.person.RolesCreateWithResponse(ctx, p.gardenID, nil, may))
	if err != nil {
		return err
	}
	if err := shows(may, role.JSON201.Role); err != nil {
		return err
	}
	has := garden.TwinsNewGroupMember{GroupID: group.JSON201.Group.ID, RoleIds: []string{role.JSON201.Role.ID}}
	guests := garden.GroupMembersCreateJSONRequestBody{Members: []garden.TwinsNewGroupMember{has}}
	added, err := got(p.person.GroupMembersCreateWithResponse(ctx, p.gardenID, nil, guests))
	if err != nil {
		return err
	}
	if len(added.JSON201.Members) != 1 {
		return fmt.Errorf("it is shown as %s", added.Body)
	}
	if m := added.JSON201.Members[0]; m.GroupName != crew.Name || m.ID != has.GroupID || len(m.RoleIds) != 1 ||
		m.RoleIds[0] != has.RoleIds[0] {
		return fmt.Errorf("the crew is shown as %s", added.Body)
	}
	return nil
}

// view wants the data of a view back to the byte.
func (p *program) view(ctx context.Context) error {
	data := map[string]any{
		"spatialView": map[string]any{
			"camera": map[string]any{"eye": []any{-1.5, 2.25, 1e6}, "label": "Größe"}, "twinId": "not ours",
			"displayName": nil,
			"categories":  map[string]any{"enabled": []any{"beams"}, "disabled": []any{}},
		},
	}
	bytesOf, err := json.Marshal(data)
	if err != nil {
		return err
	}
	north := garden.TransformNewSavedView{Label: "From the north", GardenID: &p.gardenID, SavedViewData: &data}
	made, err := got(p.person.SavedViewsCreateWithResponse(ctx, nil, north))
	if err != nil {
		return err
	}
	read, err := got(p.person.SavedViewsGetWithResponse(ctx, made.JSON201.SavedView.ID, nil))
	if err != nil {
		return err
	}
	if view := read.JSON200.SavedView; view.Label != north.Label || view.GardenID == nil ||
		*view.GardenID != p.gardenID ||
		!bytes.Contains(read.Body, append([]byte(`"savedViewData":`), bytesOf...)) {
		return fmt.Errorf("the view is shown as %s, and its data were sent as %s", read.Body, bytesOf)
	}
	return nil
}

func (p *program) blocks(ctx context.Context) error {
	scan := garden.RealitydataNewRealityData{
		GardenID: p.gardenID, Label: "Scan", Kind: "LAS", Authoring: new(true),
		Tags: &[]string{"winter", "été"},
	}
	made, err := got(p.person.RealityDataCreateWithResponse(ctx, nil, scan))
	if err != nil {
		return err
	}
	id := made.JSON201.RealityData.ID
	twins, err := got(p.person.RealityDataTwinsWithResponse(ctx, id, nil))
	if err != nil {
		return err
	}
	if len(twins.JSON200.Gardens) != 1 || twins.JSON200.Gardens[0] != p.gardenID {
		return fmt.Errorf("it is shown as %s", twins.Body)
	}
	if err := showsBut("gardenId", scan, made.JSON201.RealityData); err != nil { // which is shown apart
		return err
	}
	to, err := got(p.person.RealityDataWriteAccessWithResponse(ctx, id,
		&garden.RealityDataWriteAccessParams{GardenID: &p.gardenID}))
	if err != nil {
		return err
	}
	content := bytes.Repeat([]byte("the points of a scan "), 30_000)
	const name, kind = "scans/north.las", "application/vnd.las"
	if err := blocks.Container(to.JSON200.UnderscorePaths.ContainerURL.Href).Upload(ctx, name, kind, content,
		200_000); err != nil {
		return err
	}
	from, err := got(p.person.RealityDataReadAccessWithResponse(ctx, id, nil))
	if err != nil {
		return err
	}
	back, as, err := blocks.Container(from.JSON200.UnderscorePaths.ContainerURL.Href).Download(ctx, name, 1<<16)
	if err != nil || !bytes.Equal(back, content) || as != kind {
		return fmt.Errorf("%d bytes of %s came back: %w", len(back), as, err)
	}
	complete, err := got(p.person.RealityDataUpdateWithResponse(ctx, id, nil,
		garden.RealitydataRealityDataPatch{Authoring: new(false)}))
	if err != nil {
		return err
	}
	if d := complete.JSON200.RealityData; d.Authoring || int(d.Size) != (len(content)+1023)/1024 {
		return fmt.Errorf("%d bytes are shown as %s", len(content), complete.Body)
	}
	return nil
}

// showsBut is shows for all members but one.
func showsBut(name string, sent, came any) error {
	var want map[string]any
	if err := decoded(sent, &want); err != nil {
		return err
	}
	maps.DeleteFunc(want, func(n string, _ any) bool { return n == name })
	return shows(want, came)
}

// plan uploads a plan in pieces, imports it, and follows the operation.
func (p *program) plan(ctx context.Context) error {
	spring := garden.SchedulesNewSchedule{Name: "Shed", GardenID: p.gardenID}
	made, err := got(p.person.SchedulesCreateWithResponse(ctx, nil, spring))
	if err != nil {
		return err
	}
	if err := shows(spring, made.JSON201.Schedule); err != nil {
		return err
	}
	id := made.JSON201.Schedule.ID
	const version = "1.0.0"
	file, err := got(p.person.FilesCreateWithResponse(ctx, id, &garden.FilesCreateParams{
		TusResumable: version, UploadLength: len(plans.Shed), UploadMetadata: new("filename c2hlZC54bWw="),
	}))
	if err != nil {
		return err
	}
	if int(file.JSON201.File.Length) != len(plans.Shed) {
		return fmt.Errorf("it is shown as %s", file.Body)
	}
	for begin := 0; begin < len(plans.Shed); {
		end := min(begin+1_300, len(plans.Shed))
		a, err := got(p.person.FilesUpdateWithBodyWithResponse(ctx, id, file.JSON201.File.ID,
			&garden.FilesUpdateParams{TusResumable: version, UploadOffset: begin},
			"application/offset+octet-stream", strings.NewReader(plans.Shed[begin:end])))
		if err != nil {
			return err
		}
		if a.StatusCode() != http.StatusNoContent {
			return fmt.Errorf("it is shown as %s", a.Body)
		}
		begin = end
	}
	from := garden.SchedulesPlannerImport{FileID: file.JSON201.File.ID, FilePath: new("shed.xml")}
	begun, err := got(p.person.PlannerImportsCreateWithResponse(ctx, id, nil, from))
	if err != nil {
		return err
	}
	if err := p.follow(ctx, id, begun.JSON202.Operation.ID); err != nil {
		return err
	}
	return p.imported(ctx, id)
}

// follow asks until an operation has ended well.
func (p *program) follow(ctx context.Context, scheduleID, operationID string) error {
	for {
		o, err := got(p.person.OperationsGetWithResponse(ctx, scheduleID, operationID, nil))
		if err != nil {
			return err
		}
		if o.JSON200.Operation.ID != operationID {
			return fmt.Errorf("it is shown as %s", o.Body)
		}
		switch o.JSON200.Operation.Status {
		case garden.TwinplatformOperationStatusSucceeded:
			if o.JSON200.Operation.PercentComplete != 100 {
				return fmt.Errorf("it has ended as %s", o.Body)
			}
			return nil
		case garden.TwinplatformOperationStatusFailed:
			return fmt.Errorf("it has failed: %s", o.Body)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// imported compares the chores with what the file says.
func (p *program) imported(ctx context.Context, scheduleID string) error {
	lasts := make(map[string]time.Duration)
	for q := (garden.TasksListParams{Most: new(1)}); ; {
		page, err := got(p.person.TasksListWithResponse(ctx, scheduleID, &q))
		if err != nil {
			return err
		}
		if len(page.JSON200.Chores) > 1 {
			return fmt.Errorf("it is shown as %s", page.Body)
		}
		for _, chore := range page.JSON200.Chores {
			if chore.PlannedDuration != nil {
				lasts[chore.Name] += time.Duration(*chore.PlannedDuration) * time.Second
			}
		}
		if page.JSON200.UnderscorePaths.Onward == nil {
			break
		}
		q.ContinuationToken = page.Headers200.OnwardToken
	}
	if lasts["Floor"] != 16*time.Hour || lasts["Walls"] != 24*time.Hour {
		return fmt.Errorf("what the plan takes is %v", lasts)
	}
	return nil
}

// event asks for events, makes one, and checks what comes and what is shown of it.
func (p *program) event(ctx context.Context) error {
	const of = garden.WebhooksEventTypeWebhooksGardensGardenCreatedV1
	sent := garden.WebhooksCreateJSONRequestBody{
		RingAt: p.events.URL, Scope: garden.WebhooksScopeWebhooksAccount,
		EventTypes: []garden.WebhooksEventTypeWebhooks{of},
	}
	bell, err := got(p.application.WebhooksCreateWithResponse(ctx, nil, sent))
	if err != nil {
		return err
	}
	if bell.JSON202.Awake {
		return fmt.Errorf("it is shown as %s", bell.Body)
	}
	if err := shows(sent, bell.JSON202); err != nil {
		return err
	}
	awake, err := got(p.application.WebhooksUpdateWithResponse(ctx, bell.JSON202.ID, nil,
		garden.WebhooksUpdateJSONRequestBody{Awake: new(true)}))
	if err != nil {
		return err
	}
	if !awake.JSON200.Awake || awake.JSON200.RingAt != p.events.URL {
		return fmt.Errorf("it is shown as %s", awake.Body)
	}
	hedge, err := got(p.person.TwinsCreateWithResponse(ctx, nil,
		garden.TwinsNewTwin{Class: garden.TwinsClassBed, Label: "Hedge"}))
	if err != nil {
		return err
	}
	came, err := p.events.Next(ctx)
	if err != nil {
		return err
	}
	var event struct {
		Content                                   struct{ GardenClass garden.TwinsClass }
		EventType, GardenID, MessageID, WebhookID string
	}
	if err := came.Read(bell.JSON202.Secret, &event); err != nil {
		return err
	}
	if event.EventType != string(of) || event.GardenID != hedge.JSON201.Garden.ID ||
		event.WebhookID != bell.JSON202.ID ||
		event.Content.GardenClass != garden.TwinsClassBed {
		return fmt.Errorf("the event says %s", came.Body)
	}
	return p.delivered(ctx, bell.JSON202.ID, event.MessageID)
}

// delivered waits until a webhook shows a message as delivered.
func (p *program) delivered(ctx context.Context, webhookID, messageID string) error {
	for {
		letters, err := got(p.application.DeliveriesListWithResponse(ctx, webhookID, nil))
		if err != nil {
			return err
		}
		if len(letters.JSON200.Deliveries) != 1 {
			return fmt.Errorf("it is shown as %s", letters.Body)
		}
		letter := letters.JSON200.Deliveries[0]
		if letter.MessageID != messageID {
			return fmt.Errorf("the message %s is shown as %s", messageID, letters.Body)
		}
		if letter.State == garden.WebhooksDeliveryStateWebhooksDelivered {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("it is shown as %s: %w", letters.Body, ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
