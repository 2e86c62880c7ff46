// Prints what Argo CD shows as the health of objects: JSON objects in on standard input, one JSON line out for each, in their order. With
// --script FILE that script judges them, as one in the ConfigMap argocd-cm would: without Lua's libraries. Else the check that Argo CD
// itself ships for the object's kind, or for all kinds of its API group, read from Argo CD's own module.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/argoproj/argo-cd/v3/resource_customizations"
	lua "github.com/yuin/gopher-lua"
)

// Argo CD ends a script after so long.
const limit = time.Second

// verdict is one line of the output.
type verdict struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

type object = map[string]any

func main() {
	script := flag.String("script", "", "file of a health script")
	flag.Parse()
	if err := run(*script); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file string) error {
	custom, err := readScript(file)
	if err != nil {
		return err
	}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var judged object
		if err := in.Decode(&judged); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		script, libraries := custom, false
		if script == "" {
			if script, err = builtIn(judged); err != nil {
				return err
			}
			libraries = true
		}
		result, err := judge(judged, script, libraries)
		if err != nil {
			return err
		}
		if err := out.Encode(result); err != nil {
			return err
		}
	}
}

func readScript(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	text, err := os.ReadFile(file)
	return string(text), err
}

// builtIn finds a check as Argo CD does: first the kind's, then the one of all kinds of its group, whose folder is named "_".
func builtIn(judged object) (string, error) {
	apiVersion, _ := judged["apiVersion"].(string)
	kind, _ := judged["kind"].(string)
	group, _, _ := strings.Cut(apiVersion, "/")
	for _, name := range []string{kind, "_"} {
		text, err := resource_customizations.Embedded.ReadFile(group + "/" + name + "/health.lua")
		if err == nil {
			return string(text), nil
		}
	}
	return "", fmt.Errorf("Argo CD ships no check for %s %s", apiVersion, kind)
}

// judge runs a script. What is being deleted is Progressing, unless the script has a message of its own for that.
func judge(judged object, script string, libraries bool) (*verdict, error) {
	answer, err := execute(judged, script, libraries)
	if err != nil {
		return nil, err
	}
	result := &verdict{text(answer, "status"), text(answer, "message")}
	switch result.Status {
	case "Healthy", "Progressing", "Degraded", "Suspended", "Missing", "Unknown":
	default:
		return nil, fmt.Errorf("the script returned the status %q, which Argo CD does not know", result.Status)
	}
	metadata, _ := judged["metadata"].(object)
	if metadata["deletionTimestamp"] == nil {
		return result, nil
	}
	if message := text(answer, "deletionMessage"); message != "" {
		return &verdict{result.Status, message}, nil
	}
	return &verdict{"Progressing", "Pending deletion"}, nil
}

// execute returns the table that a script returns, in a virtual machine set up as Argo CD's.
func execute(judged object, script string, libraries bool) (*lua.LTable, error) {
	state := lua.NewState(lua.Options{SkipOpenLibs: !libraries})
	defer state.Close()
	// The only ones that Argo CD opens for a script of its users; its `os` can tell the time alone, and is left out here.
	for name, open := range map[string]lua.LGFunction{lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable} {
		if err := state.CallByParam(lua.P{Fn: state.NewFunction(open), Protect: true}, lua.LString(name)); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	state.SetContext(ctx)
	state.SetGlobal("obj", toLua(state, judged))
	if err := state.DoString(script); err != nil {
		return nil, err
	}
	answer, isTable := state.Get(-1).(*lua.LTable)
	if !isTable {
		return nil, fmt.Errorf("the script returned a %s instead of a table", state.Get(-1).Type())
	}
	return answer, nil
}

func text(table *lua.LTable, name string) string {
	if value, isText := table.RawGetString(name).(lua.LString); isText {
		return string(value)
	}
	return ""
}

func toLua(state *lua.LState, value any) lua.LValue {
	switch value := value.(type) {
	case bool:
		return lua.LBool(value)
	case float64:
		return lua.LNumber(value)
	case string:
		return lua.LString(value)
	case []any:
		table := state.CreateTable(len(value), 0)
		for _, item := range value {
			table.Append(toLua(state, item))
		}
		return table
	case object:
		table := state.CreateTable(0, len(value))
		for name, member := range value {
			table.RawSetString(name, toLua(state, member))
		}
		return table
	default:
		return lua.LNil
	}
}
