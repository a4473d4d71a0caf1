package template

import (
	"fmt"
	"io"
	"reflect"
	"text/template/parse"
)

// maxDepth is how deep templates may call one another.
const maxDepth = 100

// execution is a page that is being written.
type execution struct {
	set   *Set
	w     io.Writer
	tree  *parse.Tree
	vars  []variable
	depth int
}

type variable struct {
	name  string
	value reflect.Value
}

// template writes a template, for which $ is the data it is called with.
func (x *execution) template(name string, data reflect.Value, at parse.Node) {
	tree := x.set.trees[name]
	switch {
	case tree == nil && at == nil:
		panic(failure{fmt.Errorf("template: there is no template %q", name)})
	case x.depth == maxDepth:
		x.fail(at, "templates call one another without an end")
	}
	in := &execution{set: x.set, w: x.w, tree: tree, vars: []variable{{"$", data}}, depth: x.depth + 1}
	in.list(tree.Root, data)
}

// list writes nodes with a value of the dot. Variables that it declares end with it.
func (x *execution) list(l *parse.ListNode, dot reflect.Value) {
	if l == nil {
		return
	}
	defer func(n int) { x.vars = x.vars[:n] }(len(x.vars))
	for _, n := range l.Nodes {
		x.node(n, dot)
	}
}

func (x *execution) node(n parse.Node, dot reflect.Value) {
	switch n := n.(type) {
	case *parse.TextNode:
		x.wrote(n, func() error { _, err := x.w.Write(n.Text); return err }())
	case *parse.ActionNode:
		if v := x.pipe(n.Pipe, dot); len(n.Pipe.Decl) == 0 {
			x.write(n, v)
		}
	case *parse.IfNode:
		x.branch(&n.BranchNode, dot, func(reflect.Value) reflect.Value { return dot })
	case *parse.WithNode:
		x.branch(&n.BranchNode, dot, func(v reflect.Value) reflect.Value { return v })
	case *parse.RangeNode:
		x.each(n, dot)
	case *parse.TemplateNode:
		data := reflect.Value{}
		if n.Pipe != nil {
			data = x.pipe(n.Pipe, dot)
		}
		x.template(n.Name, data, n)
	}
}

func (x *execution) wrote(n parse.Node, err error) {
	if err != nil {
		x.fail(n, "%w", err)
	}
}

// write writes a value as its place in the page asks for.
func (x *execution) write(n *parse.ActionNode, v reflect.Value) {
	place := x.set.places[n]
	if v = concrete(v); !v.IsValid() {
		return
	}
	if html, ok := reflect.TypeAssert[HTML](v); ok && place == inText {
		_, err := io.WriteString(x.w, string(html))
		x.wrote(n, err)
		return
	}
	x.wrote(n, escapes[place](x.w, printed(v)))
}

// printed is a value as fmt prints it, and what a pointer points at where it has no text of its own.
func printed(v reflect.Value) string {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		if _, ok := reflect.TypeAssert[fmt.Stringer](v); ok {
			break
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.String {
		if _, ok := reflect.TypeAssert[fmt.Stringer](v); !ok {
			return v.String()
		}
	}
	return fmt.Sprint(v.Interface())
}

func (x *execution) branch(b *parse.BranchNode, dot reflect.Value, inner func(reflect.Value) reflect.Value) {
	defer func(n int) { x.vars = x.vars[:n] }(len(x.vars))
	if v := x.pipe(b.Pipe, dot); isTrue(v) {
		x.list(b.List, inner(concrete(v)))
	} else {
		x.list(b.ElseList, dot)
	}
}

// each writes a list for each element of a slice.
func (x *execution) each(n *parse.RangeNode, dot reflect.Value) {
	defer func(n int) { x.vars = x.vars[:n] }(len(x.vars))
	begin := len(x.vars)
	over := concrete(x.pipe(n.Pipe, dot))
	if over.IsValid() && over.Kind() != reflect.Slice && over.Kind() != reflect.Array {
		x.fail(n, "a range is over a slice and not over a %s", over.Type())
	}
	if !isTrue(over) {
		x.list(n.ElseList, dot)
		return
	}
	for i := range over.Len() {
		at := over.Index(i)
		values := []reflect.Value{reflect.ValueOf(i), at}
		for j, d := range n.Pipe.Decl {
			x.vars[begin+j].name, x.vars[begin+j].value = d.Ident[0], values[len(values)-len(n.Pipe.Decl)+j]
		}
		x.list(n.List, at)
	}
}

// pipe is the value of a pipeline, which its variables get.
func (x *execution) pipe(p *parse.PipeNode, dot reflect.Value) (v reflect.Value) {
	for i, cmd := range p.Cmds {
		var last []reflect.Value
		if i > 0 {
			last = []reflect.Value{v}
		}
		v = x.command(cmd, dot, last)
	}
	for _, d := range p.Decl {
		if p.IsAssign {
			x.fail(p, "a variable keeps its value")
		}
		x.vars = append(x.vars, variable{d.Ident[0], v})
	}
	return v
}

// command is the value of a command, whose last argument comes from the one before.
func (x *execution) command(cmd *parse.CommandNode, dot reflect.Value, last []reflect.Value) reflect.Value {
	first, args := cmd.Args[0], cmd.Args[1:]
	eval := func() (all []reflect.Value) {
		for _, a := range args {
			all = append(all, x.operand(a, dot))
		}
		return append(all, last...)
	}
	switch n := first.(type) {
	case *parse.IdentifierNode:
		if and, ok := lazy[n.Ident]; ok {
			return x.either(args, dot, and, last)
		}
		return x.call(n, x.set.functions[n.Ident], eval())
	case *parse.FieldNode:
		return x.chain(n, dot, n.Ident, eval)
	case *parse.VariableNode:
		return x.chain(n, x.variable(n), n.Ident[1:], eval)
	case *parse.ChainNode:
		return x.chain(n, x.operand(n.Node, dot), n.Field, eval)
	}
	if len(args)+len(last) > 0 {
		x.fail(first, "this is no function")
	}
	return x.operand(first, dot)
}

// operand is the value of an argument.
func (x *execution) operand(n parse.Node, dot reflect.Value) reflect.Value {
	none := func() []reflect.Value { return nil }
	switch n := n.(type) {
	case *parse.DotNode:
		return dot
	case *parse.NilNode:
		return reflect.Value{}
	case *parse.BoolNode:
		return reflect.ValueOf(n.True)
	case *parse.StringNode:
		return reflect.ValueOf(n.Text)
	case *parse.NumberNode:
		if !n.IsInt {
			x.fail(n, "numbers of templates are whole")
		}
		return reflect.ValueOf(int(n.Int64))
	case *parse.FieldNode:
		return x.chain(n, dot, n.Ident, none)
	case *parse.VariableNode:
		return x.chain(n, x.variable(n), n.Ident[1:], none)
	case *parse.ChainNode:
		return x.chain(n, x.operand(n.Node, dot), n.Field, none)
	case *parse.PipeNode:
		return x.pipe(n, dot)
	case *parse.IdentifierNode:
		return x.call(n, x.set.functions[n.Ident], nil)
	}
	x.fail(n, "templates of pages do not have this")
	return reflect.Value{}
}

func (x *execution) variable(n *parse.VariableNode) reflect.Value {
	for i := len(x.vars) - 1; ; i-- { // Parse has found that it is there
		if x.vars[i].name == n.Ident[0] {
			return x.vars[i].value
		}
	}
}

// chain is a member of a member of a value. The last gets the arguments, where it is a method.
func (x *execution) chain(n parse.Node, v reflect.Value, names []string, args func() []reflect.Value) reflect.Value {
	for i, name := range names {
		var given []reflect.Value
		if i == len(names)-1 {
			given = args()
		}
		v = x.member(n, v, name, given)
	}
	return v
}

// member is a method's answer, a field or a member of a map, which may be missing.
func (x *execution) member(n parse.Node, v reflect.Value, name string, args []reflect.Value) reflect.Value {
	if v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		x.fail(n, "nothing has no %s", name)
	}
	of := v
	if of.Kind() != reflect.Pointer && of.CanAddr() {
		of = of.Addr()
	}
	if lookup := x.set.called[name]; lookup != nil {
		if method := lookup(of); method.IsValid() {
			return x.call(n, method, args)
		}
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			x.fail(n, "nothing has no %s", name)
		}
		v = v.Elem()
	}
	var found reflect.Value
	switch v.Kind() {
	case reflect.Struct:
		found = v.FieldByName(name)
	case reflect.Map:
		if found = v.MapIndex(reflect.ValueOf(name)); !found.IsValid() {
			found = reflect.Zero(v.Type().Elem())
		}
	}
	if !found.IsValid() || len(args) > 0 {
		x.fail(n, "%s has no member %s for %d arguments, or Called does not name it", v.Type(), name, len(args))
	}
	return found
}

// call calls a function, whose error ends the page.
func (x *execution) call(n parse.Node, fn reflect.Value, args []reflect.Value) reflect.Value {
	t := fn.Type()
	if len(args) != t.NumIn() && !(t.IsVariadic() && len(args) >= t.NumIn()-1) {
		x.fail(n, "%d arguments where there are %d", len(args), t.NumIn())
	}
	for i, a := range args {
		of := t.In(min(i, t.NumIn()-1))
		if t.IsVariadic() && i >= t.NumIn()-1 {
			of = of.Elem()
		}
		args[i] = x.argument(n, a, of)
	}
	out := fn.Call(args)
	if len(out) > 1 {
		if err, _ := reflect.TypeAssert[error](out[1]); err != nil {
			x.fail(n, "%w", err)
		}
	}
	return out[0]
}

// argument is a value as a parameter takes it.
func (x *execution) argument(n parse.Node, v reflect.Value, of reflect.Type) reflect.Value {
	if !v.IsValid() {
		return reflect.Zero(of)
	}
	if v.Type().AssignableTo(of) {
		return v
	}
	if v = concrete(v); v.IsValid() && v.Type().AssignableTo(of) {
		return v
	}
	switch {
	case v.IsValid() && v.Kind() == reflect.Pointer && !v.IsNil() && v.Type().Elem().AssignableTo(of):
		return v.Elem()
	case v.IsValid() && v.CanAddr() && v.Addr().Type().AssignableTo(of):
		return v.Addr()
	case !v.IsValid():
		return reflect.Zero(of)
	}
	x.fail(n, "a %s where a %s is wanted", v.Type(), of)
	return v
}

// concrete is the value in an interface.
func concrete(v reflect.Value) reflect.Value {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}
