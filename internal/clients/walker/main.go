//go:build generated

// Command walker does with a client that ogen has made what the clients of the TypeScript generators do:
// see generators/journey.ts.
//
//	walker http://localhost:8080 token twinId
package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/ogen-go/ogen/ogenerrors"

	"github.com/seed-933f9a09/twinplatform/internal/clients/ogen"
)

// pixel is the smallest picture that there is.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="

type caller string

func (c caller) Bearer(context.Context, ogen.OperationName) (ogen.Bearer, error) {
	return ogen.Bearer{Token: string(c)}, nil
}

func (caller) Share(context.Context, ogen.OperationName) (ogen.Share, error) {
	return ogen.Share{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	url, token, twin := os.Args[1], caller(os.Args[2]), os.Args[3]
	c, err := ogen.NewClient(url, token)
	if err == nil {
		err = walk(context.Background(), c, twin)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("done")
}

// as is the answer, which has to be of a type.
func as[T any](answer any, err error) (out T, _ error) {
	if err != nil {
		return out, err
	}
	out, ok := answer.(T)
	if !ok {
		return out, fmt.Errorf("the answer is %T %v, not %T", answer, answer, out)
	}
	return out, nil
}

func walk(ctx context.Context, c *ogen.Client, twin string) error {
	schedule, err := as[*ogen.SchedulesCreateCreatedHeaders](
		c.SchedulesCreate(ctx, &ogen.SchedulesNewSchedule{Name: "Tower", TwinId: twin}, ogen.SchedulesCreateParams{}))
	if err != nil {
		return err
	}
	plan := schedule.Response.Schedule.ID
	for i := range 5 {
		if err := addTask(ctx, c, plan, fmt.Sprintf("Task %d", i+1)); err != nil {
			return err
		}
	}
	first, delta, err := page(ctx, c, plan)
	if err != nil {
		return err
	}
	if err := change(ctx, c, plan, first, delta); err != nil {
		return err
	}
	if err := look(ctx, c, plan); err != nil {
		return err
	}
	return upload(ctx, c, twin)
}

func addTask(ctx context.Context, c *ogen.Client, plan, name string) error {
	made, err := as[*ogen.TasksCreateAcceptedHeaders](c.TasksCreate(ctx,
		&ogen.SchedulesNewTask{Name: name, Type: ogen.SchedulesTaskTypeWork}, ogen.TasksCreateParams{ScheduleId: plan}))
	if err != nil {
		return err
	}
	for {
		at, err := as[*ogen.OperationsGetOKHeaders](c.OperationsGet(ctx,
			ogen.OperationsGetParams{ScheduleId: plan, OperationId: made.Response.Operation.ID}))
		switch {
		case err != nil:
			return err
		case at.Response.Operation.Status == ogen.TwinplatformOperationStatusSucceeded:
			return nil
		case at.Response.Operation.Status == ogen.TwinplatformOperationStatusFailed:
			return fmt.Errorf("%s: %v", name, at.Response.Operation)
		}
	}
}

// page reads the tasks, two at a time.
func page(ctx context.Context, c *ogen.Client, plan string) (first string, delta ogen.OptString, err error) {
	var names []string
	q := ogen.TasksListParams{ScheduleId: plan, Top: ogen.NewOptInt(2)}
	for more := true; more; {
		listed, err := as[*ogen.TasksListOKHeaders](c.TasksList(ctx, q))
		if err != nil {
			return "", delta, err
		}
		for _, task := range listed.Response.Tasks {
			names = append(names, task.Name)
		}
		if first == "" {
			first = listed.Response.Tasks[0].ID
		}
		q.ContinuationToken, delta = listed.ContinuationToken, listed.DeltaToken
		more = q.ContinuationToken.Set
	}
	if slices.Sort(names); strings.Join(names, ",") != "Task 1,Task 2,Task 3,Task 4,Task 5" || !delta.Set {
		return "", delta, fmt.Errorf("the tasks are %v, and since then %v", names, delta)
	}
	return first, delta, nil
}

func change(ctx context.Context, c *ogen.Client, plan, task string, since ogen.OptString) error {
	read, err := as[*ogen.TasksGetOKHeaders](c.TasksGet(ctx, ogen.TasksGetParams{ScheduleId: plan, TaskId: task}))
	if err != nil {
		return err
	}
	roof := &ogen.SchedulesTaskPatch{Name: ogen.NewOptString("Roof")}
	of := ogen.TasksUpdateParams{ScheduleId: plan, TaskId: task, IfMatch: ogen.NewOptString(`"another"`)}
	if _, err := as[*ogen.TasksUpdateConflict](c.TasksUpdate(ctx, roof, of)); err != nil {
		return err
	}
	of.IfMatch = ogen.NewOptString(read.ETag)
	if _, err := as[*ogen.TasksUpdateOKHeaders](c.TasksUpdate(ctx, roof, of)); err != nil {
		return err
	}
	changed, err := as[*ogen.TasksListOKHeaders](c.TasksList(ctx,
		ogen.TasksListParams{ScheduleId: plan, DeltaToken: since}))
	if err != nil {
		return err
	}
	if tasks := changed.Response.Tasks; len(tasks) != 1 || tasks[0].Name != "Roof" {
		return fmt.Errorf("what has changed is %v", tasks)
	}
	return nil
}

// look reads a picture and a table, and a task that is not there.
func look(ctx context.Context, c *ogen.Client, plan string) error {
	chart, err := as[*ogen.GanttSvgOKHeaders](c.GanttSvg(ctx, ogen.GanttSvgParams{ScheduleId: plan}))
	if err != nil {
		return err
	}
	if svg, err := io.ReadAll(chart.Response); err != nil || !bytes.HasPrefix(svg, []byte("<svg")) {
		return fmt.Errorf("the chart is %.40q: %w", svg, err)
	}
	curve, err := as[*ogen.ProgressCurvesCsvOKHeaders](
		c.ProgressCurvesCsv(ctx, ogen.ProgressCurvesCsvParams{ScheduleId: plan}))
	if err != nil {
		return err
	}
	if csv, err := io.ReadAll(curve.Response); err != nil || !bytes.Contains(csv, []byte(",")) {
		return fmt.Errorf("the table is %.40q: %w", csv, err)
	}
	_, err = as[*ogen.TasksGetNotFound](c.TasksGet(ctx, ogen.TasksGetParams{ScheduleId: plan, TaskId: "none"}))
	return err
}

// upload sends an image and reads it back.
func upload(ctx context.Context, c *ogen.Client, twin string) error {
	list, err := as[*ogen.TwinsListOKHeaders](c.TwinsList(ctx, ogen.TwinsListParams{}))
	if err != nil {
		return err
	}
	is := func(t ogen.TwinsTwinSelection) bool { return t.ID.Value == twin }
	if twins := list.Response.Twins; !slices.ContainsFunc(twins, is) {
		return fmt.Errorf("the twins are %v", twins)
	}
	image, err := base64.StdEncoding.DecodeString(pixel)
	if err != nil {
		return err
	}
	set, err := as[*ogen.TwinImagesSetCreatedHeaders](
		c.TwinImagesSet(ctx, ogen.TwinImagesSetReq{Data: bytes.NewReader(image)},
			ogen.TwinImagesSetParams{TwinId: twin}))
	if err != nil {
		return err
	}
	back, err := as[*ogen.TwinImagesReadOKImagePNGHeaders](
		c.TwinImagesRead(ctx, ogen.TwinImagesReadParams{ImageName: set.Response.Image.LargeImageName}))
	if err != nil {
		return err
	}
	if got, err := io.ReadAll(back.Response); err != nil || !bytes.Equal(got, image) {
		return fmt.Errorf("%d bytes came back of %d: %w", len(got), len(image), err)
	}
	return nil
}
