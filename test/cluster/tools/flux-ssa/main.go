// Applies objects as Flux's kustomize-controller does, with the library that it uses. Reads one request (JSON) from standard input and
// prints one answer (JSON): what was done with each object, or the error in Flux's words. With --decode it only checks that objects of
// Flux itself (JSON, on standard input) have no field that Flux does not know.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/pkg/ssa"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// The field manager and the group of labels of kustomize-controller.
const (
	manager = "kustomize-controller"
	group   = "kustomize.toolkit.fluxcd.io"
)

// request is what to do: apply the objects, in stages as Flux does, then wait for them if wait is more than 0 s; or delete them.
type request struct {
	Objects []*unstructured.Unstructured `json:"objects"`
	// Force is spec.force of a Kustomization.
	Force bool `json:"force"`
	// Wait in seconds, as spec.wait and spec.timeout.
	Wait float64 `json:"wait"`
	// Delete prunes instead of applying.
	Delete bool `json:"delete"`
}

// change is what was done with one object.
type change struct {
	Subject string `json:"subject"`
	Action  string `json:"action"`
}

// answer has changes, and an error where Flux would set Ready=False with it.
type answer struct {
	Changes []change `json:"changes"`
	Error   string   `json:"error,omitempty"`
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig of the API server")
	onlyDecode := flag.Bool("decode", false, "check the fields of Flux's own objects")
	flag.Parse()
	log.SetLogger(logr.Discard())
	work := func() error { return run(context.Background(), *kubeconfig) }
	if *onlyDecode {
		work = func() error { return decode(os.Stdin) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kubeconfig string) error {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return err
	}
	resources, err := connect(kubeconfig)
	if err != nil {
		return err
	}
	changes, err := carryOut(ctx, resources, asked)
	told := answer{Changes: []change{}}
	if changes != nil {
		for _, entry := range changes.Entries {
			told.Changes = append(told.Changes, change{entry.Subject, string(entry.Action)})
		}
	}
	if err != nil {
		told.Error = err.Error()
	}
	return json.NewEncoder(os.Stdout).Encode(told)
}

func connect(kubeconfig string) (*ssa.ResourceManager, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	// Whoever waits polls often: no limit of the client's own.
	config.QPS = -1
	kube, err := client.New(config, client.Options{})
	if err != nil {
		return nil, err
	}
	poller := polling.NewStatusPoller(kube, kube.RESTMapper(), polling.Options{})
	return ssa.NewResourceManager(kube, poller, ssa.Owner{Field: manager, Group: group}), nil
}

func carryOut(ctx context.Context, resources *ssa.ResourceManager, asked request) (*ssa.ChangeSet, error) {
	if asked.Delete {
		return resources.DeleteAll(ctx, asked.Objects, ssa.DefaultDeleteOptions())
	}
	options := ssa.DefaultApplyOptions()
	options.Force = asked.Force
	changes, err := resources.ApplyAllStaged(ctx, asked.Objects, options)
	if err != nil || asked.Wait == 0 {
		return changes, err
	}
	wait := ssa.DefaultWaitOptions()
	wait.Interval = 200 * time.Millisecond
	wait.Timeout = time.Duration(asked.Wait * float64(time.Second))
	wait.FailFast = true
	return changes, resources.WaitForSet(changes.ToObjMetadataSet(), wait)
}
