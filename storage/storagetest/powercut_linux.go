package storagetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// fileSystem is one that RunPowerCut makes an image of.
type fileSystem struct {
	name, mkfs, mount string
	size              int64 // of the image, in bytes; it takes what is written
}

var fileSystems = []fileSystem{
	{name: "ext4", mkfs: "mkfs.ext4", mount: "loop", size: 128 << 20},
	{name: "ext4 without auto_da_alloc", mkfs: "mkfs.ext4", mount: "loop,noauto_da_alloc", size: 128 << 20},
	{name: "xfs", mkfs: "mkfs.xfs", mount: "loop,nouuid", size: 320 << 20},
}

// RunPowerCut lets a process work on a file system in an image, copies the
// image as it is at some moment, and opens the store on the copy: what a machine
// finds after the power failed. It needs root and loop devices and is skipped
// elsewhere, each file system by itself.
//
// Like [RunKill] it runs the calling test again in the other process.
func RunPowerCut(t *testing.T, engine Engine) {
	t.Helper()
	asChild(t, engine)
	if os.Getuid() != 0 {
		t.Skip("power cut: needs root for loop devices")
	}
	for _, kind := range fileSystems {
		if _, err := exec.LookPath(kind.mkfs); err != nil {
			t.Logf("power cut on %s: skipped, no %s here", kind.name, kind.mkfs)
			continue
		}
		count := new(tally)
		for round := range Scale(2) {
			cut := &powerCut{t: t, kind: kind, dir: t.TempDir()}
			v, err := cut.run(engine, rand.New(rand.NewPCG(uint64(round), 6)))
			if err != nil {
				t.Logf("power cut on %s: skipped, %v", kind.name, err)
				break
			}
			count.add(v, func() string { return fmt.Sprintf("%s, round %d", kind.name, round) })
		}
		if count.total() > 0 {
			t.Logf("power cut on %s: %v", kind.name, count)
		}
		if count.first != "" {
			t.Error(count.first)
		}
	}
}

// powerCut is one image with its copy.
type powerCut struct {
	t    *testing.T
	kind fileSystem
	dir  string
}

// run cuts the power once. An error says that this machine cannot do it.
func (p *powerCut) run(engine Engine, random *rand.Rand) (verdict, error) {
	disk := filepath.Join(p.dir, "disk.img")
	if err := p.format(disk); err != nil {
		return 0, err
	}
	folder, unmount, err := p.mount(disk)
	if err != nil {
		return 0, err
	}
	defer unmount()
	c := startChild(p.t, folder, 2000)
	if err := c.read(30 + random.IntN(60)); err != nil {
		p.t.Fatal(err)
	}
	if err := c.command.Process.Signal(syscall.SIGSTOP); err != nil {
		p.t.Fatal(err)
	}
	// Flushing another file carries along whatever names the system has not
	// written yet, which shows a file that was renamed before it was flushed.
	if err := flushOther(filepath.Join(folder, "other")); err != nil {
		return 0, err
	}
	after := filepath.Join(p.dir, "after.img")
	if err := p.copyAtOnce(disk, after); err != nil {
		return 0, err
	}
	if err := c.kill(); err != nil {
		p.t.Fatal(err)
	}
	found, unmountAfter, err := p.mount(after)
	if err != nil {
		return 0, err
	}
	defer unmountAfter()
	return afterKill(p.t, engine, found, c.acked), nil
}

// copyAtOnce copies an image as it was at one moment. The process that worked on it is
// suspended, but the system may be writing yet: what it writes behind the copy in one place
// and before it in another makes an image that no disk ever was.
func (p *powerCut) copyAtOnce(image, to string) error {
	for range 20 {
		if err := command("cp", "--sparse=always", image, to); err != nil {
			return err
		}
		if same, err := sameContent(image, to); same || err != nil {
			return err
		}
	}
	return fmt.Errorf("%s changes all the time", image)
}

// sameContent reports whether two files hold the same.
func sameContent(a, b string) (same bool, err error) {
	var content [2][]byte
	for i, name := range []string{a, b} {
		if content[i], err = os.ReadFile(name); err != nil {
			return false, err
		}
	}
	return bytes.Equal(content[0], content[1]), nil
}

func (p *powerCut) format(image string) error {
	f, err := os.Create(image)
	if err != nil {
		return err
	}
	if err := f.Truncate(p.kind.size); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return command(p.kind.mkfs, "-q", image)
}

func (p *powerCut) mount(image string) (folder string, unmount func(), err error) {
	folder = image + ".mnt"
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", nil, err
	}
	if err := command("mount", "-o", p.kind.mount, image, folder); err != nil {
		return "", nil, err
	}
	return folder, func() {
		// Lazily: a process that another test is just starting has a copy of our
		// open files until its program begins.
		if err := command("umount", "--lazy", folder); err != nil {
			p.t.Error(err)
		}
	}, nil
}

func flushOther(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if _, err := f.WriteString("x"); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

func command(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}
